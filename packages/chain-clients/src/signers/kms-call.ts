import { askHttp, type HttpQuestion, type HttpReply } from '../http/ask-http.ts'
import { SignerUnavailable } from './digest-signer.ts'

const CONNECT_MS = 5_000
const ANSWER_MS = 10_000
/** A service's library may also fetch credentials before the call, and repeat it. */
const LONGEST_MS = 20_000
const MOST_BYTES = 100_000
const LONGEST_DETAIL = 300

/** How long a key service may take, in milliseconds. Tests shorten it. */
export type KmsLimits = { answerMs: number; longestMs: number }
export const KMS_LIMITS: KmsLimits = { answerMs: ANSWER_MS, longestMs: LONGEST_MS }

/**
 * Makes a call to a key service. A slower one fails, so that the sender tries again later instead of hanging.
 * @throws SignerUnavailable with the service's own words, but without its error, which contains the request's
 * credentials
 */
export async function askKms<T>(
  service: string,
  { longestMs }: KmsLimits,
  call: () => Promise<T>,
): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('it took too long')), longestMs)
  try {
    return await Promise.race([call(), late.promise])
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    const detail = `${name}: ${message}`.slice(0, LONGEST_DETAIL)
    throw new SignerUnavailable(`${service} did not answer as it should. ${detail}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Sends one request to a key service, with the one client for everything outside: no redirect gets its credentials. */
export async function sendToKms(
  question: Omit<HttpQuestion, 'limits'>,
  { answerMs: wholeMs }: KmsLimits,
): Promise<HttpReply> {
  const limits = { connectMs: CONNECT_MS, wholeMs, mostBytes: MOST_BYTES }
  const reply = await askHttp({ ...question, limits })
  if (reply.isCut) throw new Error('its answer was too long')
  return reply
}
