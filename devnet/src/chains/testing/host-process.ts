import { startChainHost } from '../chain-host.ts'

/** Runs the chains in a separate process, which a test can kill. Prints their addresses. */
const [dir] = process.argv.slice(2)
if (dir === undefined) throw new Error('the folder is missing')
const { tronUrl, bscUrl, controlUrl, pids } = await startChainHost({ dir })
console.log(JSON.stringify({ tronUrl, bscUrl, controlUrl, pids }))
