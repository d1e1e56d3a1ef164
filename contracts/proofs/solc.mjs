#!/usr/bin/env node
// Speaks to forge like a native solc, over the compiler of every other build. forge sends all sources.
import process from 'node:process'
import { text } from 'node:stream/consumers'
import solc from 'solc'

if (process.argv.includes('--version')) {
  const version = solc.version().replace('Emscripten.clang', 'Linux.g++')
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}`)
} else {
  process.stdout.write(solc.compile(await text(process.stdin)))
}
