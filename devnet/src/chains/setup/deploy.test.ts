import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { rawKeySigner } from '@dct/chain-clients/signers/index'
import {
  connectBscNode,
  connectNode,
  continueState,
  type DeploymentInputs,
  deployVault,
  estimateDeployment,
  readState,
  runDeployment,
  type VaultState,
  writeState,
} from '@dct/contracts/deployment'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { useChainHost, useTestFolder } from '../testing/test-host.ts'
import { post } from '../testing/tron-client.ts'
import { fromEvm, toBase58 } from '../tron/address.ts'
import type { Json } from '../tron/wire.ts'

const OWNER: Hex = `0x${'c0'.repeat(20)}`
const STEPS = ['token', 'rewardPool', 'staking', 'bindStaking', 'transferOwnership'] as const
/**
 * The moments at which runs are killed, in turn: around storing a signed transaction, sending it, and storing its
 * outcome.
 */
const MOMENTS = ['storing:1', 'stored:1', 'sending:1', 'sent:1', 'storing:1', 'stored:1']

const chains = useChainHost()
const folder = useTestFolder()

type Deployer = { key: Hex; address: Hex; path: string }

async function givenDeployer(trx: string): Promise<Deployer> {
  const key: Hex = `0x${randomBytes(32).toString('hex')}`
  const address = rawKeySigner(key).address
  await chains().control.faucet({ tronAddress: toBase58(fromEvm(address)), trx })
  return { key, address, path: join(folder(), `${address}.json`) }
}

/** Runs a deployment that stops for good when it has reached a moment for as many times as that says. */
async function runUntil(deployer: Deployer, moment: string) {
  const { node, save, ...deps } = depsOf(deployer)
  const counts = new Map<string, number>()
  const reach = (kind: string) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (moment === `${kind}:${count}`) throw new Error(`killed at ${moment}`)
  }
  const broadcast: typeof node.broadcast = async (raw) => {
    reach('sending')
    const answer = await node.broadcast(raw)
    reach('sent')
    return answer
  }
  const saveAndReach: typeof save = (state) => {
    reach('storing')
    save(state)
    reach('stored')
  }
  return runDeployment(
    { ...deps, node: { ...node, broadcast }, save: saveAndReach },
    continueState(readState(deployer.path), await givenInputs(deployer)),
  )
}

/** The types of all included transactions of an account. */
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
    signer: rawKeySigner(key),
    save: (state: Parameters<typeof writeState>[1]) => writeState(path, state),
    wait: async () => void (await chains().control.finalize()),
    report: () => {},
  }
}

test('a deployment that is killed at every moment of every step sends each transaction once', async () => {
  const deployer = await givenDeployer('2000')
  for (const step of STEPS) {
    for (const moment of MOMENTS) {
      await expect(runUntil(deployer, moment), step).rejects.toThrow(`killed at ${moment}`)
    }
  }
  expect(await runUntil(deployer, 'never')).toMatchObject({ isOwnerAwaited: true })
  expect(await transactionsOf(deployer.address)).toEqual([
    ...['CreateSmartContract', 'CreateSmartContract', 'CreateSmartContract'],
    ...['TriggerSmartContract', 'TriggerSmartContract'],
  ])
}, 300_000)

test('a signed transaction that can no longer be included is replaced; one that is on chain is not', async () => {
  const deployer = await givenDeployer('2000')
  const state = continueState(undefined, await givenInputs(deployer))
  const raw = '00'
  const expiresAt = new Date(0).toISOString()
  const lost = { hash: `0x${'ab'.repeat(32)}` as const, raw, expiresAt, feeLimitSun: 1 }
  state.steps.token = { attempts: [lost] }
  // The lost transaction may be on chain and paid for, so the estimate must leave it out.
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

test('a failed transaction stops the deployment, and the next run signs a new one for that step', async () => {
  // Enough to deploy the token and to try to deploy the pool, but not enough for the pool's energy.
  const deployer = await givenDeployer('100')
  const state = continueState(undefined, await givenInputs(deployer))
  await expect(runDeployment(depsOf(deployer), state)).rejects.toThrow(
    /“deploy RewardPool” failed on chain with OUT_OF_ENERGY/,
  )
  await chains().control.faucet({ tronAddress: toBase58(fromEvm(deployer.address)), trx: '2000' })
  await runDeployment(depsOf(deployer), continueState(readState(deployer.path), state.inputs))
  expect(readState(deployer.path)?.steps.rewardPool?.attempts).toHaveLength(2)
}, 120_000)

test('the estimate for the first contracts matches what the chain charges', async () => {
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

test('a deployment cannot be continued with inputs other than those in its state file', async () => {
  const deployer = await givenDeployer('1')
  const inputs = await givenInputs(deployer)
  writeState(deployer.path, continueState(undefined, inputs))
  expect(() => continueState(readState(deployer.path), { ...inputs, operator: OWNER })).toThrow(
    /another operator/,
  )
})

/** Inputs of a vault whose deployer has BNB. */
async function givenVault(key: Hex) {
  const node = connectBscNode({ url: chains().bscUrl, timeoutMs: 10_000 })
  const deployer = rawKeySigner(key).address
  await chains().control.faucet({ bscAddress: deployer, bnb: '1' })
  const state: VaultState = {
    version: 1,
    inputs: {
      ...{ chainId: await node.chainId(), deployer, owner: OWNER, operator: deployer },
      usdt: chains().deployment.bsc.usdt.toLowerCase() as Hex,
      dailyLimit: `${10n ** 21n}`,
    },
    attempts: [],
  }
  const deps = {
    ...{ node, signer: rawKeySigner(key), report: () => {} },
    save: () => {},
    wait: async () => void (await chains().control.finalize()),
  }
  return { deps, state, node, deployer }
}

test('a vault whose deployment is killed after each store is deployed once, and compared', async () => {
  const { deps, state, node, deployer } = await givenVault(`0x${randomBytes(32).toString('hex')}`)
  const killed = new Error('killed')
  const die = () => {
    throw killed
  }
  await expect(deployVault({ ...deps, save: die }, state)).rejects.toBe(killed)
  await expect(deployVault({ ...deps, wait: die }, state)).rejects.toBe(killed)
  const { vault } = await deployVault(deps, structuredClone(state))
  expect(await deployVault(deps, state)).toMatchObject({ vault })
  expect(await node.nonceOf(deployer, 'latest')).toBe(1)
  const other = { ...state, inputs: { ...state.inputs, owner: deployer } }
  await expect(deployVault(deps, other)).rejects.toThrow(`owner() of ${vault} is ${OWNER}`)
})

test('a creation whose nonce another transaction took is signed again', async () => {
  const key: Hex = `0x${randomBytes(32).toString('hex')}`
  const { deps, state, node } = await givenVault(key)
  const stuck = {
    ...deps,
    node: { ...node, broadcast: async () => ({ isAccepted: false, detail: 'lost' }) },
  }
  const halt = new Error('stopped')
  const stop = () => {
    throw halt
  }
  await expect(deployVault({ ...stuck, wait: stop }, state)).rejects.toBe(halt)
  const other = await givenVault(key)
  other.state.inputs.dailyLimit = '1'
  await deployVault(other.deps, other.state)
  await chains().control.finalize()
  const { vault } = await deployVault(deps, state)
  expect(state.attempts.map(({ outcome }) => outcome)).toMatchObject([
    'replaced',
    { failure: null },
  ])
  expect(vault).not.toBe(other.state.attempts[0]?.address)
})
