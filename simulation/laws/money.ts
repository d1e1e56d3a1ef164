/** What left the contracts and wallets, compared with what the model says is owed. */
import { tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex } from 'viem'
import { ADDRESSES, bonusAddress } from '../actors/admins.ts'
import { bonusOwed } from '../actors/restores.ts'
import { balanceOf } from '../model/books.ts'
import { creditedSoFar, type Earning, owed } from '../model/earning.ts'
import { owedTo } from '../model/referral.ts'
import type { Stage } from '../story/stage.ts'
import { PLACES } from '../world/chains.ts'
import type { Wallet } from '../world/wallet.ts'
import { ARE_REWARDS_TOTALS, bonusAccount, chargeAhead, paidTo, totalsByHand } from './ahead.ts'

const subjectOf = ({ plan, staker }: Earning) => `${plan} ${staker}`

/** At any moment: nobody has more than they are owed, apart from what thieves paid and what a restore forgot. */
export function judgePaid(stage: Stage): void {
  const byHand = totalsByHand(stage)
  for (const earning of stage.earnings()) {
    const subject = subjectOf(earning)
    const [paid, due] = [paidTo(stage, earning), owed(earning)]
    const stolen = ARE_REWARDS_TOTALS ? 0n : (stage.stolenDct.get(subject) ?? 0n)
    const most = largest(due, stage.advances.get(subject), byHand.get(subject)) + stolen
    if (paid > most && !isAhead(stage)) {
      stage.accuse(
        'nobody is paid twice',
        subject,
        `${paid} was paid, ${most} is the most that is owed`,
      )
    }
  }
}

function largest(...of: readonly (bigint | undefined)[]): bigint {
  return of.reduce<bigint>((most, one = 0n) => (one > most ? one : most), 0n)
}

/** Whether payments may be on their way that the model was not told of. */
function isAhead({ world, positions }: Stage): boolean {
  return positions.bsc < world.chains.bsc.final.number
}

/** At rest: everybody was paid what they are owed. */
export function judgeOwed(stage: Stage): void {
  chargeAhead(stage)
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
  const byHand = totalsByHand(stage)
  for (const holder of stage.holders) {
    const due = bonusOwed(stage, holder.tronAddress)
    const paid = addressesOf(holder).reduce((sum, to) => sum + (sent.get(to) ?? 0n), 0n)
    const stolen = [0, 1].map((kind) => byHand.get(bonusAccount(holder.address, kind)) ?? 0n)
    const most = largest(
      due + stolenBeyond(stage, holder, stolen),
      stage.advances.get(`USDT ${holder.name}`),
    )
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

/** What a thief paid beyond what is owed of each kind: it stays ahead of the next claim. */
function stolenBeyond(
  { books }: Stage,
  { tronAddress }: Wallet,
  totals: readonly bigint[],
): bigint {
  const beyond = totals.map((total, kind) => {
    const due = owedTo(balanceOf(books, tronAddress, kind === 0 ? 'direct' : 'non-direct'))
    return total > due ? total - due : 0n
  })
  return beyond.reduce((sum, one) => sum + one, 0n)
}

function addressesOf(holder: Wallet): Hex[] {
  return Array.from({ length: ADDRESSES }, (_, which) => bonusAddress(holder, which))
}

/** USDT that left where referrers are paid from, by receiver, in all blocks. */
export function usdtSent({ world }: Stage): Map<Hex, bigint> {
  const sent = new Map<Hex, bigint>()
  for (const block of world.chains.bsc.blocks) {
    for (const { address, topics, data } of block.included.flatMap(({ logs }) => logs)) {
      if (address !== PLACES.usdt) continue
      const event = decodeEventLog({ abi: tokenAbi, data, topics: topics as [Hex, ...Hex[]] })
      if (event.eventName !== 'Transfer') continue
      if (!world.payers.has(event.args.from.toLowerCase() as Hex)) continue
      const to = event.args.to.toLowerCase() as Hex
      sent.set(to, (sent.get(to) ?? 0n) + event.args.value)
    }
  }
  return sent
}
