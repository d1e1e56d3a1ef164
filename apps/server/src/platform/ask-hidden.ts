import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Prompts on the terminal without echoing the input. Undefined when standard input is not a terminal. */
export async function askHidden(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  terminal.on('SIGINT', () => {
    terminal.close()
    process.kill(process.pid, 'SIGINT')
  })
  process.stderr.write(`${question} `)
  try {
    return (await terminal.question('')).trim()
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
