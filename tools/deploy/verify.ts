import { join, resolve } from 'node:path'
import { replaceFile, type Verification, verificationsOf } from '@dct/contracts/deployment'
import { base58, requireState } from './deploy.ts'
import { type Flags, type Network, required } from './options.ts'
import { say } from './terminal.ts'

/** Writes the files that a block explorer needs for verification and prints the values for its form. */
export async function verify(flags: Flags): Promise<void> {
  const network = (await required(flags, 'network')) as Network
  const folder = resolve(flags.out ?? `verify-${network}`)
  for (const found of verificationsOf(requireState(flags, network))) {
    writeVerification(folder, found, base58(found.address))
  }
}

/** Writes the files of one contract and prints the values. */
export function writeVerification(folder: string, found: Verification, address: string): void {
  const flattened = join(folder, `${found.contract}.sol`)
  const standardJson = join(folder, `${found.contract}.json`)
  replaceFile(flattened, found.flattened)
  replaceFile(standardJson, found.standardJson)
  say(
    [
      `${found.contract}  ${address}`,
      `  compiler               ${found.compiler}`,
      `  license                ${found.license}`,
      `  optimizer              on, ${found.optimizerRuns} runs; viaIR off`,
      `  EVM version            ${found.evmVersion} (the compiler's default)`,
      `  constructor arguments  ${found.constructorArguments}`,
      `  one source file        ${flattened}`,
      `  standard JSON input    ${standardJson}\n`,
    ].join('\n'),
  )
}
