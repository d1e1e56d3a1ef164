import { requireNetwork } from '../../shared/chain/require-network.ts'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useMoneySteps } from '../../shared/money-step/use-money-step.ts'
import { deviceMemory, tabMemory } from '../../shared/storage/memory.ts'
import { SentTransactions } from '../../shared/tx/sent-transactions.ts'
import type { TxReport } from '../../shared/tx/tx-report.ts'
import { useExecuteDeps } from '../../shared/tx/use-execute-deps.ts'
import { type JoinDeps, joinStep } from './join-flow.ts'
import { joinTexts } from './join-plan.texts.ts'
import { ShownJoins } from './shown-joins.ts'

export const sentJoins = new SentTransactions(deviceMemory)
export const shownJoins = new ShownJoins(deviceMemory, tabMemory)
/** Locks that this page is already working on; only the others need to be resumed. */
export const liveJoins = new Set<string>()

/** Everything on this page that a join needs. */
export function useJoinDeps() {
  const wallet = useWallet()
  const execute = useExecuteDeps()
  const text = useTexts(joinTexts)
  const config = usePublicConfig()
  const { take, end } = useMoneySteps()
  const steps = [
    { id: 'quota', label: () => text('stepQuota') },
    { id: 'approve', label: () => text('stepApprove') },
    { id: 'lock', label: () => text('stepLock') },
    { id: 'record', label: () => text('stepRecord') },
  ]
  const of = (report: TxReport, signal: AbortSignal): JoinDeps => {
    if (!config) throw new Error('The installation is not known yet')
    const { token, staking, chain_id } = config.tron
    return {
      ...execute,
      joinText: text,
      contracts: { token, staking },
      requireNetwork: () => requireNetwork(wallet, chain_id),
      remember: (sent) => {
        liveJoins.add(sent.hash)
        sentJoins.add(sent)
        shownJoins.keepClosed(sent.hash)
      },
      take,
      forget: (hash) => {
        const { planCode = '', attempt } = sentJoins.find(hash)?.facts ?? {}
        sentJoins.remove(hash)
        if (attempt !== undefined) void end({ step: joinStep(planCode), attempt })
      },
      report,
      signal,
    }
  }
  return { steps, of, isReady: config !== undefined }
}
