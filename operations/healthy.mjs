// Exits with code 0 if the API in this container can answer requests.
import { isIPv6 } from 'node:net'
import process from 'node:process'

const PATIENCE_MS = 4_000
/** An API that listens on every address answers on the one for this machine, too. */
const OWN = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

const { HOST, PORT } = process.env
const host = HOST?.trim() || '127.0.0.1'
const url = new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${PORT?.trim() || '3000'}/api/health`)
url.hostname = OWN[url.hostname] ?? url.hostname
const reply = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
process.exitCode = reply.ok ? 0 : 1
