import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  connectNode,
  continueState,
  type DeploymentInputs,
  estimateDeployment,
  localSigner,
  readState,
  runDeployment,
  writeState,
} from '@dct/contracts/deployment'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { useChainHost, useTestFolder } from '../testing/test-host.ts'
import { post } from '../testing/tron-client.ts'
import { fromEvm, toBase58 } from '../tron/address.ts'
import type { Json } from '../tron/wire.ts'

const SCRIPT = join(import.meta.dirname, '../testing/deploy-until.ts')
const OWNER: Hex = `0x${'c0'.repeat(20)}`
const STEPS = ['token', 'rewardPool', 'staking', 'bindStaking', 'transferOwnership'] as const
/** A run is killed at each of these in turn: twice around what is signed, twice around what came of it. */
const MOMENTS = ['storing:1', 'stored:1', 'sending:1', 'sent:1', 'storing:1', 'stored:1']

const chains = useChainHost()
const folder = useTestFolder()

type Deployer = { key: Hex; address: Hex; path: string }

async function givenDeployer(trx: string): Promise<Deployer> {
  const key: Hex = `0x${randomBytes(32).toString('hex')}`
  const address = localSigner(key).address
  await chains().control.faucet({ tronAddress: toBase58(fromEvm(address)), trx })
  return { key, address, path: join(folder(), `${address}.json`) }
}

function runUntil({ key, path }: Deployer, moment: string) {
  const child = spawn(process.execPath, [SCRIPT, chains().tronUrl, path, key, OWNER, moment])
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.on('data', (text) => {
    output += text
  })
  return new Promise<{ signal: string | null; output: string }>((done) => {
    child.once('close', (_code, signal) => done({ signal, output }))
  })
}

/** The kinds of all transactions that an account ever had in a block. */
async function transactionsOf(account: Hex): Promise<string[]> {
  const { tron } = await chains().control.finalize()
  const kinds: string[] = []
  for (let number = 1; number <= tron.head.number; number++) {
    const { transactions = [] } = (await post(chains(), 'wallet/getblockbynum', {
      num: number,
    })) as {
      transactions?: { raw_data: { contract: [{ type: string; parameter: { value: Json } }] } }[]
    }
    for (const { raw_data } of transactions) {
      const [{ type, parameter }] = raw_data.contract
      if (parameter.value.owner_address === fromEvm(account)) kinds.push(type)
    }
  }
  return kinds
}

async function givenInputs(deployer: Deployer): Promise<DeploymentInputs> {
  const chainId = await nodeOf().chainId()
  return { chainId, deployer: deployer.address, owner: OWNER, operator: deployer.address }
}

function nodeOf() {
  return connectNode({ url: chains().tronUrl, timeoutMs: 10_000 })
}

function depsOf({ key, path }: Deployer) {
  return {
    node: nodeOf(),
    sign: localSigner(key).sign,
    save: (state: Parameters<typeof writeState>[1]) => writeState(path, state),
    wait: async () => void (await chains().control.finalize()),
    report: () => {},
  }
}

test('a deployment that is killed at every moment of every step sends each transaction once', async () => {
  const deployer = await givenDeployer('2000')
  for (const step of STEPS) {
    for (const moment of MOMENTS) {
      const { signal, output } = await runUntil(deployer, moment)
      expect(signal, `${step} ${moment}: ${output}`).toBe('SIGKILL')
    }
  }
  const { output } = await runUntil(deployer, 'never')
  expect(JSON.parse(output)).toMatchObject({ isOwnerAwaited: true })
  expect(await transactionsOf(deployer.address)).toEqual([
    ...['CreateSmartContract', 'CreateSmartContract', 'CreateSmartContract'],
    ...['TriggerSmartContract', 'TriggerSmartContract'],
  ])
}, 300_000)

test('what was signed and can never be included any more is signed anew; what is on chain is not', async () => {
  const deployer = await givenDeployer('2000')
  const state = continueState(undefined, await givenInputs(deployer))
  const raw = '00'
  const expiresAt = new Date(0).toISOString()
  const lost = { hash: `0x${'ab'.repeat(32)}` as const, raw, expiresAt, feeLimitSun: 1 }
  state.steps.token = { attempts: [lost] }
  // It may be on chain and paid for: it must not be asked for, or counted, again.
  const { steps } = await estimateDeployment(nodeOf(), state)
  expect(steps.map(({ step }) => step.name)).toEqual(STEPS.slice(1))
  await runDeployment(depsOf(deployer), state)
  expect(state.steps.token?.attempts.map(({ outcome }) => outcome)).toMatchObject([
    'expired',
    { failure: null },
  ])
  await runDeployment(depsOf(deployer), continueState(readState(deployer.path), state.inputs))
  expect(await transactionsOf(deployer.address)).toHaveLength(STEPS.length)
}, 120_000)

test('a transaction that fails stops the deployment, and the next run signs that step anew', async () => {
  // Enough for the token and for the attempt at the pool, not for its energy.
  const deployer = await givenDeployer('100')
  const state = continueState(undefined, await givenInputs(deployer))
  await expect(runDeployment(depsOf(deployer), state)).rejects.toThrow(
    /“deploy RewardPool” failed on chain with OUT_OF_ENERGY/,
  )
  await chains().control.faucet({ tronAddress: toBase58(fromEvm(deployer.address)), trx: '2000' })
  await runDeployment(depsOf(deployer), continueState(readState(deployer.path), state.inputs))
  expect(readState(deployer.path)?.steps.rewardPool?.attempts).toHaveLength(2)
}, 120_000)

test('the estimate of the first contracts is what the chain charges for them', async () => {
  const deployer = await givenDeployer('2000')
  const state = continueState(undefined, await givenInputs(deployer))
  const { steps } = await estimateDeployment(nodeOf(), state)
  expect(steps.map(({ step }) => step.name)).toEqual(STEPS)
  await runDeployment(depsOf(deployer), state)
  for (const { step, sun } of steps) {
    const outcome = state.steps[step.name]?.attempts.at(-1)?.outcome
    const charged = typeof outcome === 'object' ? outcome.feeSun : 0
    expect(Math.abs(charged / Number(sun) - 1), step.name).toBeLessThan(0.15)
  }
}, 120_000)

test('a state file continues no deployment with other inputs', async () => {
  const deployer = await givenDeployer('1')
  const inputs = await givenInputs(deployer)
  writeState(deployer.path, continueState(undefined, inputs))
  expect(() => continueState(readState(deployer.path), { ...inputs, operator: OWNER })).toThrow(
    /another operator/,
  )
})
