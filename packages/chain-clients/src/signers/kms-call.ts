import { SignerUnavailable } from './digest-signer.ts'

/** A slower call fails, so that the sender tries again later instead of hanging. */
export const KMS_TIMEOUT_MS = 10_000
const LONGEST_DETAIL = 300

/**
 * Makes a call to a key service.
 * @throws SignerUnavailable with the service's own words, but without its error, which contains the request's
 * credentials
 */
export async function askKms<T>(service: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    const detail = `${name}: ${message}`.slice(0, LONGEST_DETAIL)
    throw new SignerUnavailable(`${service} did not answer as it should. ${detail}`)
  }
}
