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
  /** Includes the type of the body if that is not JSON. */
  headers: Readonly<Record<string, string>>
  /** Which addresses may be contacted. Checked when connecting, so that no later DNS answer can bypass it. */
  mayReach: (address: string) => boolean
  /** How much of the answer is read, in bytes. Default: 4 kilobytes. */
  longestAnswer?: number
}
export type Answer = { status: number; retryAfterMs: number; body: string }

/** Whether an address is on the public internet: not private, not loopback, not a service of the hosting provider. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/** Checks whether a host answers at all: sends a HEAD request and accepts any answer. */
export async function reach(address: string, mayReach: Posted['mayReach']): Promise<void> {
  await ask(address, { method: 'HEAD', body: '', headers: {}, mayReach })
}

/**
 * Sends a POST request, with a JSON body unless its headers say otherwise. Follows no redirects, reads a limited part
 * of the answer, and gives up after ten seconds. Errors contain the host but never the path, which can be a secret.
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

/** Resolves host names to those of their addresses that may be reached. */
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

/** Parses a Retry-After header into milliseconds: 0 without one, and for a date, which few servers send. */
function readRetryAfter(value: string | undefined): number {
  return /^\d{1,6}$/.test(value ?? '') ? Number(value) * 1_000 : 0
}
