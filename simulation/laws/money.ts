/** What left the contracts and wallets, compared with what the model says is owed. */
import { tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex } from 'viem'
import { ADDRESSES, bonusAddress } from '../actors/admins.ts'
import { bonusOwed } from '../actors/restores.ts'
import { entitlementOf } from '../chains/reward-pool.ts'
import { creditedSoFar, type Earning, owed } from '../model/earning.ts'
import type { Stage } from '../story/stage.ts'
import { PLACES, tronText } from '../world/chains.ts'
import type { Wallet } from '../world/wallet.ts'

const subjectOf = ({ plan, staker }: Earning) => `${plan} ${staker}`

function paidTo(stage: Stage, { plan, staker }: Earning): bigint {
  const { pool, staking } = stage.world.chains.tron.state
  const stake = staking.stakes.find(
    (one) => one.planCode === plan && walletTextOf(one.staker) === staker,
  )
  return stake === undefined ? 0n : entitlementOf(pool, plan, stake.staker).paid
}

const texts = new Map<Hex, string>()
function walletTextOf(address: Hex): string {
  const known = texts.get(address) ?? tronText(address)
  texts.set(address, known)
  return known
}

/** At any moment: nobody has more than they are owed, apart from what thieves paid and what a restore forgot. */
export function judgePaid(stage: Stage): void {
  for (const earning of stage.earnings()) {
    const subject = subjectOf(earning)
    const [paid, due] = [paidTo(stage, earning), owed(earning)]
    const stolen = stage.stolenDct.get(subject) ?? 0n
    const known = stage.advances.get(subject) ?? 0n
    const most = (due > known ? due : known) + stolen
    if (paid > most && !isAhead(stage)) {
      stage.accuse(
        'nobody is paid twice',
        subject,
        `${paid} was paid, ${most} is the most that is owed`,
      )
    }
  }
}

/** Whether payments may be on their way that the model was not told of. */
function isAhead({ world, positions }: Stage): boolean {
  return positions.bsc < world.chains.bsc.final.number
}

/** At rest: everybody was paid what they are owed. */
export function judgeOwed(stage: Stage): void {
  for (const earning of stage.earnings()) {
    const subject = subjectOf(earning)
    const [paid, due] = [paidTo(stage, earning), owed(earning)]
    if (paid < due)
      stage.accuse('everybody is paid what they are owed', subject, `${paid} was paid of ${due}`)
    if (due > creditedSoFar(earning)) {
      stage.accuse(
        'claims take each cycle once',
        subject,
        `${due} is claimed of ${creditedSoFar(earning)} credited`,
      )
    }
  }
  judgePaid(stage)
  judgeBonuses(stage)
}

function judgeBonuses(stage: Stage): void {
  const sent = usdtSent(stage)
  for (const holder of stage.holders) {
    const due = bonusOwed(stage, holder.tronAddress)
    const paid = addressesOf(holder).reduce((sum, to) => sum + (sent.get(to) ?? 0n), 0n)
    const before = stage.advances.get(`USDT ${holder.name}`) ?? 0n
    const most = due > before ? due : before
    if (paid < due)
      stage.accuse('everybody is sent their bonus', holder.name, `${paid} was sent of ${due}`)
    if (paid > most)
      stage.accuse(
        'no bonus is sent twice',
        holder.name,
        `${paid} was sent, ${most} is the most that is owed`,
      )
  }
}

function addressesOf(holder: Wallet): Hex[] {
  return Array.from({ length: ADDRESSES }, (_, which) => bonusAddress(holder, which))
}

/** USDT that left the payout wallet, by receiver, in all blocks. */
export function usdtSent({ world }: Stage): Map<Hex, bigint> {
  const sent = new Map<Hex, bigint>()
  for (const block of world.chains.bsc.blocks) {
    for (const { topics, data } of block.included.flatMap(({ logs }) => logs)) {
      const event = decodeEventLog({ abi: tokenAbi, data, topics: topics as [Hex, ...Hex[]] })
      if (event.eventName !== 'Transfer' || event.args.from.toLowerCase() !== PLACES.payout)
        continue
      const to = event.args.to.toLowerCase() as Hex
      sent.set(to, (sent.get(to) ?? 0n) + event.args.value)
    }
  }
  return sent
}
