import { isIPv4, isIPv6 } from 'node:net'
import { resolve } from 'node:path'

export type DevnetSettings = {
  host: string
  port: number
  /** An absolute path. */
  dataDir: string
  /** Whether to empty `dataDir` first. */
  reset: boolean
  /** The environment without live settings, for the server. */
  forServer: NodeJS.ProcessEnv
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Settings with which a devnet must not start. Each line of the message names a setting and the fix, never a value that
 * may be secret.
 */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Settings that refer to live services. Devnet has its own value for each of them. */
const LIVE_SETTING = /^(DATABASE_URL|TRON_FULL_HOST|TRON_API_KEY|.*_(PRIVATE_KEY|KEY_FILE|RPC))$/
const PUBLIC_SWITCH = 'ALLOW_PUBLIC_DEVNET'
const YES = new Set(['on', '1', 'true', 'yes'])

function isLiveSetting(name: string): boolean {
  return LIVE_SETTING.test(name)
}

/**
 * Reads the settings from the environment and the command line.
 * @param args the arguments after `npm start --`
 * @throws SettingsError with one line for each necessary change
 */
export function readDevnetSettings(env: Environment, args: readonly string[]): DevnetSettings {
  const value = (name: string, otherwise: string) => env[name] || otherwise
  const host = value('HOST', '127.0.0.1')
  const port = Number(value('PORT', '3000'))
  const problems = [
    ...liveProblems(env, host),
    ...(env.MODE === 'live'
      ? ['MODE=live, but npm start runs a devnet: see docs/operating/ for live processes.']
      : []),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535
      ? []
      : ['PORT must be a whole number from 1 to 65535.']),
    ...args
      .filter((arg) => arg !== '--reset')
      .map((arg) => `${arg} is not a known argument; npm start -- --reset starts with empty data.`),
  ]
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return {
    host,
    port,
    dataDir: resolve(value('DATA_DIR', './data')),
    reset: args.includes('--reset'),
    forServer: Object.fromEntries(Object.entries(env).filter(([name]) => !isLiveSetting(name))),
  }
}

/**
 * The problems with settings that refer to live services or would expose a devnet to others: the demo accounts' keys
 * are public, and any caller can use time travel.
 */
function liveProblems(env: Environment, host: string): string[] {
  if (YES.has(env[PUBLIC_SWITCH]?.toLowerCase() ?? '')) return []
  const live = Object.keys(env).filter((name) => isLiveSetting(name) && env[name])
  const problems = live.map(
    (name) => `${name} is set, but npm start runs a devnet that brings its own: unset ${name}.`,
  )
  if (!isLoopback(host)) {
    problems.push(
      `HOST=${host} can be reached by others, and a devnet gives its keys to anyone: ` +
        `unset HOST, or set ${PUBLIC_SWITCH}=on if you mean it.`,
    )
  }
  return problems
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIPv4(host) && host.startsWith('127.')) || host === '::1'
}

/** The URL by which this machine reaches a server that listens on `host`. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}
