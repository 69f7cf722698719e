"""Many halls, one event: nodes keep the boards, hubs keep the games, NATS JetStream joins them."""
