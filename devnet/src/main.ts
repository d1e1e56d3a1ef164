/** `npm start`: runs a complete devnet in one process tree until Ctrl-C. */
import { ServiceError } from '@dct/local-services'
import { DataFolderError } from './supervisor/data-folder.ts'
import { type Devnet, DevnetError, startDevnet } from './supervisor/devnet.ts'
import { type DevnetSettings, readDevnetSettings, SettingsError } from './supervisor/settings.ts'

const STOP_PATIENCE_MS = 30_000

const startedAt = performance.now()
const stopRequest = new AbortController()
let devnet: Devnet | undefined

function closingLines({ address }: Devnet, { dataDir }: DevnetSettings): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  return `
Ready after ${seconds} s. Open ${address}

  Try it      log in with the development wallet: choose a holder, register, join a plan
  Advance     the development panel advances the date, gives coins and pays fees
  Administer  choose the account "Admin" to see plans, users and payouts
  Look inside ${address}/api/docs  ${address}/devnet/info

Data is kept in ${dataDir}. Ctrl-C stops; npm start -- --reset starts with empty data.
`
}

/** Repeated signals are ignored: npm, the launcher and the terminal may each send one. */
function requestStop(): void {
  if (stopRequest.signal.aborted) return
  stopRequest.abort()
  console.log('\nStopping …')
  setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
}

async function run(): Promise<number> {
  const settings = readDevnetSettings(process.env, process.argv.slice(2))
  devnet = await startDevnet(settings, { say: console.log, signal: stopRequest.signal })
  console.log(closingLines(devnet, settings))
  const stopped = new Promise<undefined>((resolve) => {
    stopRequest.signal.addEventListener('abort', () => resolve(undefined))
  })
  const reason = await Promise.race([stopped, devnet.broken])
  await devnet.stop()
  if (reason === undefined) return 0
  console.error(`\n${reason}\nEverything else was stopped. npm start continues from there.`)
  return 1
}

function isExpected(error: unknown): error is Error {
  const kinds = [SettingsError, DataFolderError, DevnetError, ServiceError]
  return kinds.some((kind) => error instanceof kind)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, requestStop)
process.on('disconnect', requestStop)
process.channel?.unref()

try {
  process.exitCode = await run()
} catch (error) {
  if (!stopRequest.signal.aborted) {
    console.error(isExpected(error) ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
if (stopRequest.signal.aborted) console.log('Stopped.')
process.exit()
