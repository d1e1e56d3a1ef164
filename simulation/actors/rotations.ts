/** Keys and addresses that operators replace: the service is told by its settings, and started again. */
import { payoutVaultAbi, rewardPoolAbi } from '@dct/contract-abi'
import type { Stage } from '../story/stage.ts'
import { accountOf, keyOf, PLACES } from '../world/chains.ts'
import type { Installation } from '../world/service.ts'
import { encode, endow, sendOnBsc, sendOnTron, walletOf } from '../world/wallet.ts'
import type { Play } from './act.ts'
import { fillWallet } from './faults.ts'
import { withoutProcesses } from './restores.ts'

const PLENTY_SUN = 10n ** 15n
const PLENTY_WEI = 10n ** 24n

/** The owner of the pool names another key; payments of the old one may be on their way. */
export const rotateOperator: Play = async (stage, [calm]) => {
  const { chains } = stage.world
  const name = nextName(stage, 'operator')
  await comeToRestFirst(stage, calm)
  chains.tron.state.trx.set(accountOf(name), PLENTY_SUN)
  const data = encode(rewardPoolAbi, 'setOperator', [accountOf(name)])
  endow(chains, walletOf('owner'))
  sendOnTron(chains, PLACES.owner, { to: PLACES.pool, data })
  stage.world.mine(3)
  await install(stage, ({ keys }) => ({ keys: { ...keys, operator: keyOf(name) } }))
  stage.coverage.reach('fault', 'operator key replaced')
  stage.say('the operator key is replaced')
}

/** Another key pays referrers: the vault's owner names it; a wallet that pays by itself gets another address. */
export const rotatePayoutKey: Play = async (stage, [calm]) => {
  const { chains } = stage.world
  const name = nextName(stage, 'payout wallet')
  await comeToRestFirst(stage, calm)
  const payout = accountOf(name)
  chains.bsc.state.bnb.set(payout, PLENTY_WEI)
  const owner = walletOf('owner')
  endow(chains, owner)
  const data = encode(payoutVaultAbi, 'setOperator', [payout])
  sendOnBsc(chains, owner.address, { to: PLACES.vault, data })
  stage.world.mine(3)
  await install(stage, ({ keys, places }) => {
    return { keys: { ...keys, payout: keyOf(name) }, places: { ...places, payout } }
  })
  fillWallet(stage)
  stage.coverage.reach('fault', 'payout key replaced')
  stage.say('the payout key is replaced')
}

/** Fees go to another address from now on; those of earlier claims still go to the old one. */
export const rotateReceiver: Play = async (stage) => {
  const receiver = accountOf(nextName(stage, 'fee receiver'))
  await install(stage, ({ places, formerReceivers = [] }) => {
    return {
      places: { ...places, receiver },
      formerReceivers: [places.receiver, ...formerReceivers],
    }
  })
  stage.coverage.reach('fault', 'fee receiver replaced')
  stage.say('the fee receiver is replaced')
}

function nextName(stage: Stage, what: string): string {
  stage.rotations += 1
  return `${what} ${stage.rotations + 1}`
}

async function comeToRestFirst(stage: Stage, calm: number): Promise<void> {
  if (calm % 2 === 0) await stage.world.settle()
}

async function install(
  stage: Stage,
  change: (now: Installation) => Partial<Installation>,
): Promise<void> {
  await withoutProcesses(stage, async () => stage.world.install(change(stage.world.installation)))
}
