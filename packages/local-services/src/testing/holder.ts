import { startAnvil, startGuarded, startPostgres } from '../index.ts'

/** Runs one of each service until it is killed. Prints their process ids in one line. */
const [dir = ''] = process.argv.slice(2)
const postgres = await startPostgres({ dir: `${dir}/postgres`, fast: true })
const anvil = await startAnvil({ chainId: 97, dir: `${dir}/anvil` })
const stubborn = startGuarded({
  command: '/bin/sh',
  args: ['-c', "trap '' TERM; while :; do sleep 0.1; done"],
})
process.stdout.write(`${JSON.stringify([postgres.pid, anvil.pid, stubborn.pid])}\n`)
