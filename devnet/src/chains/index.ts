export { type ChainHost, startChainHost } from './chain-host.ts'
export { createControlClient } from './control/control-client.ts'
export { DEMO_ACCOUNTS, type DemoAccount } from './setup/keys.ts'
