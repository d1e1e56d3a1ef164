import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startUntilReady } from '@dct/local-services/ready-process'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import type { BareOptions } from './http-bare.ts'
import type { Load, Measured } from './http-load.ts'
import { processorSeconds } from './processes.ts'

export type Server = { port: number; pid: number | undefined; stop: () => Promise<unknown> }
/** Includes the servers' CPU time per call in microseconds, which other load on the machine distorts less. */
export type Figures = Measured & { cpuUs: number }
type Settings = Readonly<Record<string, string>>

const HERE = import.meta.dirname
/** The kinds of processes that run live, and the text that each logs once it is running. */
const READY_TEXTS = { api: 'listening', watcher: 'watching', worker: 'working' }
export type ProcessKind = keyof typeof READY_TEXTS

/** Starts a process of the product; with BENCH_PROFILE=FOLDER it leaves a processor profile there. */
export async function startProcess(kind: ProcessKind, settings: Settings): Promise<Server> {
  const port = await portForLater()
  const env = { ...process.env, ...settings, PORT: `${port}` }
  const profile = process.env.BENCH_PROFILE
  const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  const file = join(HERE, `../apps/server/src/main/${kind}.ts`)
  return {
    port,
    ...(await startServer({ args: [...flags, file], env, readyText: READY_TEXTS[kind] })),
  }
}

/** Starts the bare server of `http-bare.ts`. */
export async function startBare(dir: string, options: Omit<BareOptions, 'port'>): Promise<Server> {
  const port = await portForLater()
  const file = join(dir, 'bare.json')
  writeFileSync(file, JSON.stringify({ ...options, port }))
  const args = [join(HERE, 'http-bare.ts'), file]
  return { port, ...(await startServer({ args, env: process.env, readyText: 'listening' })) }
}

/** Resolves once the process has logged that it is running. */
async function startServer(server: { args: string[]; env: NodeJS.ProcessEnv; readyText: string }) {
  const { readyText, ...options } = server
  const command = { command: process.execPath, ...options }
  const started = await startUntilReady(command, (line) => line.includes(readyText))
  if ('lastLines' in started) throw new Error(`a server did not start:\n${started.lastLines}`)
  return started
}

/** Generates load on the servers from a separate process. */
export async function generate(
  servers: readonly Server[],
  load: Omit<Load, 'ports'>,
): Promise<Figures> {
  const ports = servers.map(({ port }) => port)
  const args = [join(HERE, 'http-load.ts'), JSON.stringify({ ...load, ports })]
  const before = processorSeconds(servers.map(({ pid }) => pid))
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const spent = processorSeconds(servers.map(({ pid }) => pid)) - before
  const measured = JSON.parse(stdout) as Measured
  return { ...measured, cpuUs: (spent * 1e6) / (measured.perSecond * load.seconds) }
}
