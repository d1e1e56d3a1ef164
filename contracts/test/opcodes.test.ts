import { expect, test } from 'vitest'
import { PRODUCT_SOURCES } from '../scripts/generate.ts'
import { compileContract } from '../scripts/solidity.ts'

/** The opcodes up to London, Shanghai's PUSH0 and Cancun's MCOPY, as inclusive ranges. */
const KNOWN: readonly [number, number][] = [
  [0x00, 0x0b], // STOP to SIGNEXTEND
  [0x10, 0x1d], // LT to SAR
  [0x20, 0x20], // KECCAK256
  [0x30, 0x48], // ADDRESS to BASEFEE
  [0x50, 0x5b], // POP to JUMPDEST
  [0x5e, 0x9f], // MCOPY, PUSH0 to SWAP16
  [0xa0, 0xa4], // LOG0 to LOG4
  [0xf0, 0xf5], // CREATE to CREATE2
  [0xfa, 0xfa], // STATICCALL
  [0xfd, 0xfe], // REVERT, INVALID
]
/** Valid opcodes that these contracts must not use: CREATE, CALLCODE, DELEGATECALL, CREATE2. */
const UNWANTED = new Set([0xf0, 0xf2, 0xf4, 0xf5])

/** STOP, JUMP, RETURN, REVERT, INVALID: the bytes after one of these are data, or only reachable at a JUMPDEST. */
const ENDING = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe])
const JUMPDEST = 0x5b

/** Finds opcodes that are invalid on Tron's Cancun VM, or that these contracts have no reason to use. */
function foreignOpcodes(bytecode: string): string[] {
  const code = Buffer.from(bytecode, 'hex')
  const foreign: string[] = []
  let runs = true
  for (let at = 0; at < code.length; at++) {
    const opcode = code[at] ?? 0
    runs ||= opcode === JUMPDEST
    const known = KNOWN.some(([first, last]) => opcode >= first && opcode <= last)
    if (runs && (!known || UNWANTED.has(opcode))) foreign.push(`0x${opcode.toString(16)} at ${at}`)
    // PUSH1 to PUSH32 are followed by data.
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f
    if (ENDING.has(opcode)) runs = false
  }
  return foreign
}

/** Strips the metadata that the compiler appends, whose length is in the last two bytes. */
function withoutMetadata(code: string): string {
  const length = Number.parseInt(code.slice(-4), 16) + 2
  expect(length).toBeLessThan(64)
  return code.slice(0, -2 * length)
}

test.each(PRODUCT_SOURCES.filter((path) => path !== 'src/TokenInterface.sol'))(
  '%s compiles only to opcodes that Tron supports',
  (path) => {
    const { bytecode, deployedBytecode } = compileContract(path)
    const runtime = deployedBytecode.slice(2)
    const [creation = '', tail] = bytecode.slice(2).split(runtime)
    expect(creation).not.toBe('')
    expect(tail).toBe('')
    expect(foreignOpcodes(creation)).toEqual([])
    expect(foreignOpcodes(withoutMetadata(runtime))).toEqual([])
  },
)

test.each([
  ['CLZ', '1e'],
  ['BLOBHASH', '49'],
  ['BLOBBASEFEE', '4a'],
  ['TLOAD', '5c'],
  ['TSTORE', '5d'],
  ['DELEGATECALL', 'f4'],
  ['SELFDESTRUCT', 'ff'],
])('the scan finds %s in code, but not in data', (_name, opcode) => {
  expect(foreignOpcodes(`5f${opcode}`)).toEqual([`0x${opcode} at 1`])
  expect(foreignOpcodes(`00${opcode}5b${opcode}`)).toEqual([`0x${opcode} at 3`])
  expect(foreignOpcodes(`60${opcode}61${opcode}${opcode}00${opcode}`)).toEqual([])
})
