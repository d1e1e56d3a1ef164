export { type ChainHost, type ChainHostOptions, startChainHost } from './chain-host.ts'
export type {
  BlockReference,
  ChainControl,
  ChainHeads,
  ChainsInfo,
  Heads,
} from './control/control.ts'
export { createControlClient } from './control/control-client.ts'
export type { Deployment } from './core/checkpoint.ts'
export type { ChainName } from './core/evm-node.ts'
export type { FaucetRequest, FaucetResult } from './setup/faucet.ts'
export { DEMO_ACCOUNTS, type DemoAccount, type KeyPair, type ServiceKeys } from './setup/keys.ts'
export type { TronBehaviour } from './tron/behaviour.ts'
