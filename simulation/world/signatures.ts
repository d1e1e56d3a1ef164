/**
 * Whose signature it is takes longer to find out than most of what a node does. Each is looked into once, and the
 * signatures of simulated wallets, whose keys are known, not at all.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Hex } from 'viem'

type Point = object
type Signature = {
  r: bigint
  s: bigint
  recovery: number | undefined
  recoverPublicKey(hash: unknown): Point
}
type Curve = {
  Signature: { prototype: Signature }
  ProjectivePoint: { fromPrivateKey(key: string): Point }
}

const requireOfViem = createRequire(import.meta.resolve('viem'))
const commonJs = pathToFileURL(requireOfViem.resolve('@noble/curves/secp256k1'))
const { secp256k1 } = (await import(new URL('esm/secp256k1.js', commonJs).href)) as {
  secp256k1: Curve
}
const known = new Map<string, Point>()
const points = new Map<Hex, Point>()

/** From here on, signers are remembered. */
export function rememberSigners(): void {
  const { prototype } = secp256k1.Signature
  const { recoverPublicKey } = prototype
  prototype.recoverPublicKey = function (this: Signature, hash: unknown): Point {
    const { r, s, recovery } = this
    const name = typeof hash === 'string' ? nameOf({ hash, r, s, recovery }) : undefined
    const found = name === undefined ? undefined : known.get(name)
    const point = found ?? recoverPublicKey.call(this, hash)
    if (name !== undefined) known.set(name, point)
    return point
  }
}

/** Notes who made a signature of 65 bytes. */
export function noteSigner(key: Hex, { hash, signature }: { hash: Hex; signature: Hex }): void {
  const point = points.get(key) ?? secp256k1.ProjectivePoint.fromPrivateKey(key.slice(2))
  points.set(key, point)
  const [r, s] = [BigInt(signature.slice(0, 66)), BigInt(`0x${signature.slice(66, 130)}`)]
  const recovery = Number(`0x${signature.slice(130)}`) - 27
  known.set(nameOf({ hash: hash.slice(2), r, s, recovery }), point)
}

/** Signatures of earlier stories do not come back. */
export function forgetSigners(): void {
  known.clear()
}

function nameOf(signed: Pick<Signature, 'r' | 's' | 'recovery'> & { hash: string }): string {
  return `${signed.hash} ${signed.r} ${signed.s} ${signed.recovery}`
}
