import { askHttp, HttpFailure, type HttpQuestion } from '@dct/chain-clients/http/ask-http'
import ipaddr from 'ipaddr.js'
import { DeliveryError } from './channel.ts'

const LIMITS = { connectMs: 5_000, wholeMs: 10_000 }
const LONGEST_ANSWER = 4_096

export type Posted = {
  body: string | Buffer
  /** Includes the type of the body if that is not JSON. */
  headers: Readonly<Record<string, string>>
  /** Which addresses may be contacted. Checked when connecting, so that no later DNS answer can bypass it. */
  mayReach: (address: string) => boolean
  /** Reads this much of every answer, in bytes. By default, 4 kilobytes of a refusal and nothing of any other answer. */
  longestAnswer?: number
}
export type Answer = { status: number; retryAfterMs: number; body: string }

/** Whether an address is on the public internet: not private, not loopback, not a service of the hosting provider. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast'
}

/** Checks whether a host answers at all: sends a HEAD request and accepts any answer. */
export async function reach(address: string, mayReach: Posted['mayReach']): Promise<void> {
  await ask({ method: 'HEAD', url: address, mayReach, isEnough: () => true })
}

/** Whether a receiver has accepted a message. */
export function isAccepted({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300
}

/**
 * Sends a POST request, with a JSON body unless its headers say otherwise. Follows no redirects, reads a limited part
 * of the answer, and gives up after ten seconds. Errors contain the host but never the path, which can be a secret.
 * @throws DeliveryError
 */
export function post(
  address: string,
  { headers, body, mayReach, longestAnswer }: Posted,
): Promise<Answer> {
  return ask(
    {
      ...{ method: 'POST', url: address, body, mayReach },
      headers: { 'content-type': 'application/json', ...headers },
      ...(longestAnswer === undefined && { isEnough: (status) => isAccepted({ status }) }),
    },
    longestAnswer,
  )
}

async function ask(
  question: Omit<HttpQuestion, 'limits'>,
  mostBytes = LONGEST_ANSWER,
): Promise<Answer> {
  try {
    const { status, headers, body } = await askHttp({
      ...question,
      headers: { ...question.headers, 'user-agent': 'dct-earning' },
      limits: { ...LIMITS, mostBytes },
    })
    return { status, body, retryAfterMs: readRetryAfter(headers['retry-after']) }
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    throw new DeliveryError(error.message, { isUnreached: true })
  }
}

/** Parses a Retry-After header into milliseconds: 0 without one, and for a date, which few servers send. */
function readRetryAfter(value: string | undefined): number {
  return /^\d{1,6}$/.test(value ?? '') ? Number(value) * 1_000 : 0
}
