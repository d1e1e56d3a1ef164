import { Type } from 'typebox'
import {
  brand,
  emailAddress,
  host,
  list,
  oneOf,
  origin,
  postgresUrl,
  text,
  tronAddress,
  url,
  walletConnectProject,
  whole,
} from './value-types.ts'

/** Nodes that browsers may query without a key: wallets do, and the admin area reads balances from them. */
export const PUBLIC_NODES = {
  mainnet: 'https://api.trongrid.io',
  shasta: 'https://api.shasta.trongrid.io',
  nile: 'https://nile.trongrid.io',
  bsc: 'https://bsc-dataseed.bnbchain.org',
  bscTestnet: 'https://bsc-testnet-dataseed.bnbchain.org',
} as const

/** How the service is reached, what it says about itself, and where its data is. */
export const site = {
  MODE: oneOf(['live', 'devnet'], {
    unset: 'devnet',
    description: '`live` disables all development features',
  }),
  SETTINGS_FILE: Type.Optional(
    text({
      description:
        'a file with further settings, one `NAME=value` a line; those of the environment take precedence',
    }),
  ),
  DATABASE_URL: postgresUrl({ secret: 'secret', description: 'the primary of the database' }),
  DATABASE_READ_URL: Type.Optional(
    postgresUrl({
      secret: 'secret',
      description:
        'a streaming replica of the database: the api reads admins’ histories, lists, statistics and files from it while it is at most a minute old',
    }),
  ),
  HOST: host({ unset: '127.0.0.1', description: 'the address to listen on' }),
  PORT: whole(0, 65_535, { unset: '3000', description: 'the port to listen on' }),
  PUBLIC_ORIGIN: origin({
    unset: { devnet: 'http://{HOST}:{PORT}' },
    description: "the site's own address; never taken from a request",
  }),
  TRUSTED_PROXIES: whole(0, 10, {
    unset: '0',
    description: "the number of trusted proxies in front, which may set the caller's address",
  }),
  ALLOWED_ORIGINS: list(origin(), {
    unset: '',
    expects: 'origins such as https://app.example.org, separated by commas',
    description: 'other origins whose pages may call the API from a browser',
  }),
  BROWSER_NODES: list(url(), {
    unset: { live: Object.values(PUBLIC_NODES).join(','), devnet: '' },
    expects: 'http(s) addresses, separated by commas',
    description:
      "nodes that pages may query (content security policy); add the nodes of your holders' wallets",
  }),
  WALLETCONNECT_PROJECT_ID: Type.Optional(
    walletConnectProject({
      description:
        "offers wallets on other devices through WalletConnect, whose relay pages may then reach (content security policy). Enter `PUBLIC_ORIGIN` in the project's list of domains",
    }),
  ),
  BRAND: brand({ unset: 'DCT Earning', description: 'the name shown on the pages' }),
  SUPPORT_EMAIL: emailAddress({
    unset: { devnet: 'support@dct-earning.example' },
    expects: 'an e-mail address',
    description: 'the support address in the terms, on the security page and in `security.txt`',
  }),
  ADMINS: list(tronAddress(), {
    unset: '',
    expects: 'Tron addresses (T…), separated by commas',
    description: 'the initial admins',
  }),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    unset: 'info',
    description: 'the lowest log level that is written',
  }),
}
