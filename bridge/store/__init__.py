"""The journal: readings made durable before they are acted on."""
