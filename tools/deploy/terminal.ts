import { createInterface } from 'node:readline/promises'

/** A reason to stop, as a message for the person at the terminal. */
export class DeployError extends Error {
  override name = 'DeployError'
}

/** Asks at the terminal. @throws DeployError where nobody can answer */
export async function ask(question: string, missing: string): Promise<string> {
  if (!process.stdin.isTTY) throw new DeployError(missing)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`${question} `)).trim()
  } finally {
    terminal.close()
  }
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
