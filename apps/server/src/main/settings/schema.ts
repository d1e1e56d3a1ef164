import * as constants from '@dct/rules/constants'
import { type StaticDecode, Type } from 'typebox'
import { channels } from './channel-settings.ts'
import { site } from './site-settings.ts'
import {
  block,
  evmAddress,
  evmSuccession,
  flag,
  keystore,
  kmsKey,
  list,
  nodeHeaders,
  passphrase,
  percent,
  priceBounds,
  privateKey,
  text,
  tronAddress,
  tronNetwork,
  tronNode,
  url,
  usdt,
  whole,
} from './value-types.ts'

const monitoring = {
  METRICS_PORT: Type.Optional(
    whole(0, 65_535, {
      description:
        'the port on which this process serves `/metrics` for Prometheus, at the address `HOST`; each process on a host needs its own. Never make it public',
    }),
  ),
  DEAD_MAN_CHAINS_URL: Type.Optional(
    url({
      secret: 'secret',
      description:
        'fetched by the worker at most once a minute, after new blocks of both chains have been booked; the service there alerts you when the requests stop',
    }),
  ),
  DEAD_MAN_AUDIT_URL: Type.Optional(
    url({
      secret: 'secret',
      description:
        'fetched by the worker after each audit of the ledger that compared everything and found no difference',
    }),
  ),
}

const agreement = (chain: string) =>
  Type.Optional(
    whole(1, 10, {
      description: `how many ${chain} nodes must give the same answer before it is acted on; always more than half of those that answer. Unless set, both of two nodes, and all but one of more`,
    }),
  )

const nodes = {
  NODE_HEADERS: Type.Optional(
    nodeHeaders({
      description:
        'headers that individual nodes need, such as `tron.example.org X-Token: abc`; each is sent only to its host',
    }),
  ),
  NODE_REQUESTS_PER_SECOND: whole(1, 100_000, {
    unset: { live: '15', devnet: '100000' },
    description:
      'the most requests that one process sends to one provider; halved whenever the provider asks to slow down, and raised again step by step',
  }),
}

const tron = {
  TRON_NETWORK: tronNetwork({
    only: 'live',
    description:
      'the Tron network, and with it that of BSC: mainnet beside mainnet, else its testnet',
  }),
  TRON_FULL_HOST: list(tronNode(), {
    expects: 'http(s) addresses of full nodes, separated by commas',
    description:
      'the Tron nodes; with several, `TRON_NODES_AGREE` applies. Their JSON-RPC is expected at `/jsonrpc`; another address of it follows after a bar: `http://10.0.0.5:8090|http://10.0.0.5:8545/jsonrpc`',
  }),
  TRON_NODES_AGREE: agreement('Tron'),
  TRON_API_KEY: Type.Optional(
    text({
      secret: 'secret',
      description: 'the key for TronGrid; no other host gets it (`NODE_HEADERS`)',
    }),
  ),
  TRON_TOKEN: tronAddress({ description: 'the DCT contract' }),
  TRON_STAKING: tronAddress({ description: 'the staking contract' }),
  TRON_REWARD_POOL: tronAddress({ description: 'the reward contract' }),
  TRON_START_BLOCK: block({ description: 'the block in which the contracts were deployed' }),
  TRON_OPERATOR_KEYSTORE: Type.Optional(
    keystore({
      description:
        "the operator's key, encrypted: `npm run keystore` creates it. Only processes that send need a key",
    }),
  ),
  TRON_OPERATOR_PASSPHRASE: Type.Optional(
    passphrase({
      description: 'opens that keystore; without it, you are asked for it at the terminal on start',
    }),
  ),
  TRON_OPERATOR_KMS: Type.Optional(
    kmsKey({
      description:
        'instead of a keystore: a key in AWS KMS (ECC_SECG_P256K1) or Google Cloud KMS (EC_SIGN_SECP256K1_SHA256)',
    }),
  ),
  TRON_OPERATOR_KEY: Type.Optional(
    privateKey({
      isUnlisted: true,
      description: "the operator's private key without encryption, instead of a keystore",
    }),
  ),
}

const bsc = {
  BSC_RPC: list(url(), {
    expects: 'http(s) addresses that serve eth_getLogs, separated by commas',
    description: 'the BSC nodes; with several, `BSC_NODES_AGREE` applies',
  }),
  BSC_NODES_AGREE: agreement('BSC'),
  BSC_USDT: evmAddress({ description: 'the USDT contract' }),
  BSC_RECEIVER: evmSuccession({
    description:
      'receives the fees; only the address is needed, so it may be cold. Name the former ones after it: what was paid to them is then found whatever backup is restored',
  }),
  BSC_PAYOUT_VAULT: evmAddress({
    description:
      'the vault that referral claims are paid from: `npm run deploy -- vault` deploys it',
  }),
  BSC_START_BLOCK: block({ description: 'the first block to read payments from' }),
  BSC_PAYOUT_KEYSTORE: Type.Optional(
    keystore({
      description: "the key of the vault's operator, encrypted; only processes that send need it",
    }),
  ),
  BSC_PAYOUT_PASSPHRASE: Type.Optional(
    passphrase({
      description: 'opens that keystore; without it, you are asked for it at the terminal on start',
    }),
  ),
  BSC_PAYOUT_KMS: Type.Optional(
    kmsKey({
      description: 'instead of a keystore: a key in AWS KMS or Google Cloud KMS, likewise',
    }),
  ),
  BSC_PAYOUT_KEY: Type.Optional(
    privateKey({
      isUnlisted: true,
      description:
        "the private key of the vault's operator without encryption, instead of a keystore",
    }),
  ),
}

const money = {
  PRICE_MAX_AGE_HOURS: whole(1, 1_000_000, {
    unset: { live: '24', devnet: '876000' },
    description: 'with an older price, claims are refused',
  }),
  PRICE_PAIR: Type.Optional(
    tronAddress({
      description:
        'a pair of DCT and USDT on Tron (SunSwap V2 or compatible) that the price is taken from; on mainnet its other token must be USDT itself. Without it, admins set the price',
    }),
  ),
  PRICE_BOUNDS_USDT: Type.Optional(
    priceBounds({
      description: 'the pair is trusted only with a price within these; required with `PRICE_PAIR`',
    }),
  ),
  SECOND_APPROVAL_ABOVE_USDT: usdt({
    unset: '1000',
    description:
      'a referral payout above this amount needs two admins, if there are two; a sole admin decides alone, with a fresh signature',
  }),
  SECOND_APPROVAL_ABOVE_PERCENT: percent(constants.REFERRAL_PERCENTAGE_MAX_BPS, {
    unset: '50',
    description: 'a referral percentage above this needs two admins, likewise',
  }),
}

/** Read only in development, where tests and trials replace what is fixed in live mode. */
const development = {
  LIMIT_PER_MINUTE: whole(1, 1_000_000, {
    ...{ only: 'devnet', unset: '100000' },
    description: 'what one caller may call per minute, of each kind',
  }),
  LIMIT_NETWORK: whole(1, 10_000, {
    ...{ only: 'devnet', unset: '20' },
    description: "the limit of one network, as a multiple of a user's",
  }),
  STEP_UP: flag({
    ...{ only: 'devnet', unset: 'off' },
    description:
      'whether sensitive admin actions need a fresh wallet signature; in live mode they always do',
  }),
  TELEGRAM_API_URL: url({
    ...{ only: 'devnet', unset: 'https://api.telegram.org' },
    description: 'the Bot API',
  }),
  CONTROL_URL: url({ only: 'devnet', description: 'the control address of the chain host' }),
  CRASH_AT: Type.Optional(
    text({
      only: 'devnet',
      expects: 'the name of a step',
      description: 'the step at which a sender kills its own process, for crash tests',
    }),
  ),
}

/**
 * Every setting of the server: its type, its default, which mode reads it, and what it means. A setting that has no
 * default and is not optional must be set. `MODE` comes first, because the others depend on it.
 */
export const SETTINGS = Type.Object({
  ...site,
  ...monitoring,
  ...nodes,
  ...tron,
  ...bsc,
  ...money,
  ...channels,
  ...development,
})

/** All settings as the code uses them. A setting that the mode does not read is undefined. */
export type Settings = StaticDecode<typeof SETTINGS>
