import type { Clock } from '../../platform/clock.ts'
import { createChains } from '../chains/chains.ts'
import { type Config, SettingsError } from '../config.ts'
import { examineContracts } from './examine-contracts.ts'
import { examineDatabase } from './examine-database.ts'
import { examineKeys } from './examine-keys.ts'
import { examineNodes } from './examine-nodes.ts'
import { examineReplica } from './examine-replica.ts'
import { examineChannels, examineHolderChannels } from './examine-services.ts'
import { type Finding, fault, fine } from './finding.ts'

/** Reads the settings. While some of them are invalid, these are the only findings: nothing else can be examined. */
export function examineSettings(read: () => Config): {
  config: Config | undefined
  findings: Finding[]
} {
  try {
    const config = read()
    return { config, findings: [fine('settings.valid', 'settings', 'All settings can be read.')] }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const findings = error.message.split('\n').map((line) => {
      const [subject = ''] = line.split(' ')
      return fault('settings.valid', subject, `${line}.`)
    })
    return { config: undefined, findings }
  }
}

/**
 * Compares the settings with what they name: database, nodes, contracts, keys, receivers of messages. Writes
 * and sends nothing, and signs no transaction.
 */
export async function examineInstallation(
  config: Config,
  { realClock }: { realClock: Clock },
): Promise<Finding[]> {
  const chains = createChains(config)
  const services = Promise.all([examineChannels(config), examineHolderChannels(config)])
  // Nodes come first: those of another network must not be asked about contracts.
  const nodes = await examineNodes({ config, chains, realClock })
  const examined = await examineContracts({ config, chains })
  const { findings: contracts, dctDecimals, operator, payoutOperator } = examined
  const database = await examineDatabase({ config, chains, realClock, dctDecimals })
  const replica = await examineReplica(config)
  const keys = await examineKeys({ config, chains, operator, payoutOperator })
  const [channels, holders] = await services
  return [...database, ...replica, ...nodes, ...contracts, ...keys, ...channels, ...holders]
}
