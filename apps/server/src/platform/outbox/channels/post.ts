import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { DeliveryError } from './channel.ts'

const PATIENCE_MS = 10_000
const LONGEST_ANSWER = 4_096

export type Posted = {
  body: string | Buffer
  /** With the type of the body, where that is not JSON. */
  headers: Readonly<Record<string, string>>
  /** Which addresses may be asked. Judged when the connection is made, so that a name cannot change its mind. */
  mayReach: (address: string) => boolean
  /** In bytes; a few kilobytes unless given. */
  longestAnswer?: number
}
export type Answer = { status: number; retryAfterMs: number; body: string }

/** An address of the public internet: no private network, no loopback, no service of the host's provider. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/** Finds out whether a host answers at all: asks for the head of a page, and takes any answer. */
export async function reach(address: string, mayReach: Posted['mayReach']): Promise<void> {
  await ask(address, { method: 'HEAD', body: '', headers: {}, mayReach })
}

/**
 * Posts something, JSON unless its headers say otherwise. Follows no redirect, reads a limited part of the answer, and
 * gives up after ten seconds. Errors name the host and nothing of the path, which can be a secret.
 */
export function post(address: string, { headers, ...posted }: Posted): Promise<Answer> {
  const json = { 'content-type': 'application/json' }
  return ask(address, { ...posted, method: 'POST', headers: { ...json, ...headers } })
}

async function ask(
  address: string,
  {
    method,
    body,
    headers,
    mayReach,
    longestAnswer = LONGEST_ANSWER,
  }: Posted & { method: 'POST' | 'HEAD' },
): Promise<Answer> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !mayReach(host)) throw forbidden(host)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      agent: false,
      headers: {
        ...headers,
        'content-length': Buffer.byteLength(body),
        'user-agent': 'dct-earning',
      },
      lookup: lookupAmong(mayReach),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    sent.on('error', (error) => {
      reject(
        error.name === 'AbortError' ? new DeliveryError(`${host} did not answer in time.`) : error,
      )
    })
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      const end = () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfterMs: readRetryAfter(response.headers['retry-after']),
          body: Buffer.concat(chunks).toString('utf8', 0, longestAnswer),
        })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length < longestAnswer) return
        end()
        response.destroy()
      })
      response.on('end', end)
      response.on('error', reject)
    })
    sent.end(body)
  })
}

/** Resolves names to the addresses that may be reached. */
function lookupAmong(mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first, ...others] = (found ?? []).filter(({ address }) => mayReach(address))
      if (error !== null) callback(error, [])
      else if (first === undefined) callback(forbidden(host), [])
      else if (options.all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }
}

function forbidden(host: string): DeliveryError {
  return new DeliveryError(`${host} is not on the public internet.`)
}

/** In milliseconds; 0 without one, and for a date, which few send. */
function readRetryAfter(value: string | undefined): number {
  return /^\d{1,6}$/.test(value ?? '') ? Number(value) * 1_000 : 0
}
