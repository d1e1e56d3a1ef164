import { concat, decodeErrorResult, type Hex, keccak256, pad, parseAbi, toHex } from 'viem'
import { type Artifact, compileContract } from '../../scripts/solidity.ts'
import { addressOf, type Chain, type Contract, Reverted } from './chain.ts'
import { type Bytecodes, DAY, deployContracts } from './system.ts'

const driverAbi = parseAbi([
  'function token() view returns (address)',
  'function ownerAndOperator() view returns (address owner, address operator)',
  'function begin(address pool, address staking)',
  'function run(uint256 seed, uint256 calls)',
  'function tally() view returns (uint256[13] accepted, uint256[13] refused)',
  'error FuzzModel_LawBroken(string law)',
  'error FuzzDriver_WrongAnswer(uint8 action, bool accepted, bytes answer)',
])

/** In the order of the driver's enum. */
const ACTIONS = [
  'join',
  'release',
  'fund',
  'pay',
  'open',
  'close',
  'withdraw free',
  'withdraw lapsed',
  'pause',
  'replace operator',
  'limit terms',
  'donate',
  'forbidden',
] as const

const CALLS_PER_BLOCK = 20
/** Each holder can join each plan once, so a world is used up after some blocks and replaced by a new one. */
const BLOCKS_PER_WORLD = 30
const DRIVER_OWNER = addressOf('fuzz driver')

export type Tally = Record<(typeof ACTIONS)[number], { accepted: bigint; refused: bigint }>

/** An invariant was violated, or a call had the wrong outcome. */
export class FuzzFinding extends Error {
  override name = 'FuzzFinding'
}

let compiledDriver: Artifact | undefined

/**
 * Makes `calls` random calls as holders, owner, operator and strangers, lets time pass in between, and checks the
 * invariants after each call.
 * @returns the numbers of accepted and refused calls of each kind
 * @throws FuzzFinding with the seed and the number of the block
 */
export async function fuzz(
  chain: Chain,
  run: { seed: Hex; calls: number; bytecodes: Bytecodes },
): Promise<Tally> {
  const driver = await deployWorld(chain, run.bytecodes)
  const tally = Object.fromEntries(
    ACTIONS.map((action) => [action, { accepted: 0n, refused: 0n }]),
  ) as Tally
  let fresh = await chain.snapshot()
  const blocks = Math.ceil(run.calls / CALLS_PER_BLOCK)
  for (let block = 0; block < blocks; block++) {
    if (block > 0 && block % BLOCKS_PER_WORLD === 0) {
      await addTally(chain, driver, tally)
      await chain.revertTo(fresh)
      fresh = await chain.snapshot()
    }
    const drawn = keccak256(concat([run.seed, pad(toHex(block))]))
    await chain.at((await chain.now()) + secondsUntilNext(drawn))
    await runBlock(chain, driver, { seed: run.seed, block, drawn })
  }
  await addTally(chain, driver, tally)
  return tally
}

/** Deploys the driver and its own set of contracts, which the driver's actors own and operate. */
async function deployWorld(chain: Chain, bytecodes: Bytecodes) {
  compiledDriver ??= compileContract('test-contracts/FuzzDriver.sol')
  const { abi, bytecode } = compiledDriver
  const { address } = await chain.deploy(DRIVER_OWNER, { abi, bytecode, args: [] })
  const driver: Contract<typeof driverAbi> = { address, abi: driverAbi }
  const token = await chain.client.readContract({ ...driver, functionName: 'token' })
  const [owner, operator] = await chain.client.readContract({
    ...driver,
    functionName: 'ownerAndOperator',
  })
  const { pool, staking } = await deployContracts(chain, token, { owner, operator }, bytecodes)
  await chain.send(DRIVER_OWNER, driver, 'begin', [pool.address, staking.address])
  return driver
}

/** Usually hours or days, sometimes weeks, rarely more than a year, so that rewards can also lapse. */
function secondsUntilNext(drawn: Hex): bigint {
  const kind = BigInt(drawn) % 100n
  const within = (BigInt(drawn) >> 64n) & 0xffffffffn
  if (kind < 35n) return 1n + (within % (6n * 3_600n))
  if (kind < 75n) return 1n + (within % (3n * DAY))
  if (kind < 95n) return 1n + (within % (30n * DAY))
  return 400n * DAY
}

async function runBlock(
  chain: Chain,
  driver: Contract<typeof driverAbi>,
  { seed, block, drawn }: { seed: Hex; block: number; drawn: Hex },
) {
  try {
    await chain.send(DRIVER_OWNER, driver, 'run', [BigInt(drawn), BigInt(CALLS_PER_BLOCK)])
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    throw new FuzzFinding(`FUZZ_SEED=${seed}, block ${block}: ${describe(error.data)}`)
  }
}

function describe(data: Hex): string {
  const { errorName, args } = decodeErrorResult({ abi: driverAbi, data })
  if (errorName === 'FuzzModel_LawBroken') return `broken law: ${args[0]}`
  if (errorName !== 'FuzzDriver_WrongAnswer') return `${errorName}(${args})`
  const [action, accepted, answer] = args
  return `"${ACTIONS[action]}" was ${accepted ? 'accepted' : 'refused'} against the rules (${answer})`
}

async function addTally(chain: Chain, driver: Contract<typeof driverAbi>, tally: Tally) {
  const [accepted, refused] = await chain.client.readContract({ ...driver, functionName: 'tally' })
  ACTIONS.forEach((action, i) => {
    tally[action].accepted += accepted[i] ?? 0n
    tally[action].refused += refused[i] ?? 0n
  })
}
