/** Flags of federations, by the codes that FIDE gives them. */

const FILES = import.meta.glob<string>("../node_modules/country-flag-icons/3x2/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** FIDE's code, then the name of the flag: ISO 3166's two letters. Who plays without one has none. */
const CODES = `
AFG AF ALB AL ALG DZ AND AD ANG AO ANT AG ARG AR ARM AM ARU AW AUS AU AUT AT AZE AZ BAH BS BAN BD
BAR BB BDI BI BEL BE BER BM BHU BT BIH BA BIZ BZ BLR BY BOL BO BOT BW BRA BR BRN BH BRU BN BUL BG
BUR BF CAF CF CAM KH CAN CA CAY KY CGO CG CHA TD CHI CL CHN CN CIV CI CMR CM COD CD COL CO COM KM
CPV CV CRC CR CRO HR CUB CU CYP CY CZE CZ DEN DK DJI DJ DMA DM DOM DO ECU EC EGY EG ENG GB-ENG
ERI ER ESA SV ESP ES EST EE ETH ET FAI FO FIJ FJ FIN FI FRA FR GAB GA GAM GM GCI GG GEO GE GEQ GQ
GER DE GHA GH GRE GR GRL GL GRN GD GUA GT GUM GU GUY GY HAI HT HKG HK HON HN HUN HU INA ID IND IN
IOM IM IRI IR IRL IE IRQ IQ ISL IS ISR IL ISV VI ITA IT IVB VG JAM JM JCI JE JOR JO JPN JP KAZ KZ
KEN KE KGZ KG KOR KR KOS XK KSA SA KUW KW LAO LA LAT LV LBA LY LBN LB LBR LR LCA LC LES LS LIE LI
LTU LT LUX LU MAC MO MAD MG MAR MA MAS MY MAW MW MDA MD MDV MV MEX MX MGL MN MKD MK MLI ML MLT MT
MNC MC MNE ME MOZ MZ MRI MU MTN MR MYA MM NAM NA NCA NI NCL NC NED NL NEP NP NGR NG NIG NE NOR NO
NRU NR NZL NZ OMA OM PAK PK PAN PA PAR PY PER PE PHI PH PLE PS PLW PW PNG PG POL PL POR PT PUR PR
QAT QA ROU RO RSA ZA RUS RU RWA RW SCO GB-SCT SEN SN SEY SC SGP SG SKN KN SLE SL SLO SI SMR SM
SOL SB SOM SO SRB RS SRI LK SSD SS STP ST SUD SD SUI CH SUR SR SVK SK SWE SE SWZ SZ SYR SY TAN TZ
THA TH TJK TJ TKM TM TLS TL TOG TG TTO TT TUN TN TUR TR UAE AE UGA UG UKR UA URU UY USA US UZB UZ
VAN VU VEN VE VIE VN VIN VC WLS GB-WLS YEM YE ZAM ZM ZIM ZW`;

const NAMES = new Map([...CODES.matchAll(/(\S+)\s+(\S+)/g)].map(([, code, name]) => [code, name]));

/** Return the address of a picture, `null` for a federation that has none here. */
export function flagOf(federation: string): string | null {
  const file = FILES[`../node_modules/country-flag-icons/3x2/${NAMES.get(federation)}.svg`];
  return file === undefined ? null : `data:image/svg+xml;charset=utf-8,${encodeURIComponent(file)}`;
}
