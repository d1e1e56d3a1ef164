/**
 * Runs a deployment and kills its own process at a given moment, for deploy.test.ts.
 * Arguments: URL of the node, state file, private key, owner, moment (`stored:3` after the third write, `sending:2` before
 * the second broadcast, `sent:2` after it, `never`).
 */

import { rawKeySigner } from '@dct/chain-clients/signers/index'
import {
  connectNode,
  continueState,
  type DeploymentNode,
  readState,
  runDeployment,
  writeState,
} from '@dct/contracts/deployment'

const [url = '', path = '', key = '', owner = '', moment = 'never'] = process.argv.slice(2)
const signer = rawKeySigner(key)
const counts = new Map<string, number>()

function reach(kind: string): void {
  const count = (counts.get(kind) ?? 0) + 1
  counts.set(kind, count)
  if (moment === `${kind}:${count}`) process.kill(process.pid, 'SIGKILL')
}

const node = connectNode({ url, timeoutMs: 10_000 })
const killing: DeploymentNode = {
  ...node,
  async broadcast(raw) {
    reach('sending')
    const answer = await node.broadcast(raw)
    reach('sent')
    return answer
  },
}
const deployer = signer.address
const inputs = {
  chainId: await node.chainId(),
  deployer,
  owner: owner as `0x${string}`,
  operator: deployer,
}
const deployed = await runDeployment(
  {
    node: killing,
    signer,
    save(state) {
      reach('storing')
      writeState(path, state)
      reach('stored')
    },
    wait: () => new Promise((done) => setTimeout(done, 100)),
    report: () => {},
  },
  continueState(readState(path), inputs),
)
process.stdout.write(JSON.stringify(deployed))
