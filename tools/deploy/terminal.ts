import { createInterface } from 'node:readline/promises'

/** An expected failure, with a message for the user at the terminal. */
export class DeployError extends Error {
  override name = 'DeployError'
}

/** Asks the user at the terminal. @throws DeployError when there is no terminal */
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
