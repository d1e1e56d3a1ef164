import { acceptOwnership, type DeploymentState, writeState } from '@dct/contracts/deployment'
import {
  base58,
  nodeUrl,
  openNode,
  requireNetwork,
  requireState,
  statePath,
  wait,
  withLock,
} from './deploy.ts'
import { type Flags, type Network, openKey, required } from './options.ts'
import { DeployError, say } from './terminal.ts'

/** Accepts the ownership of the reward pool with the owner's key. The transaction costs the owner a few TRX. */
export async function accept(flags: Flags): Promise<void> {
  const network = (await required(flags, 'network')) as Network
  const state = requireState(flags, network)
  const node = openNode(flags, await nodeUrl(flags))
  await requireNetwork(node, network)
  const signer = await openKey(flags)
  if (signer.address !== state.inputs.owner) {
    throw new DeployError(`The key does not belong to the owner ${base58(state.inputs.owner)}.`)
  }
  const path = statePath(flags, network)
  const save = (next: DeploymentState) => writeState(path, next)
  await withLock(path, () => acceptOwnership({ node, signer, save, wait, report: say }, state))
  say('The reward pool now belongs to its owner.')
}
