import { randomBytes } from 'node:crypto'
import { type HttpReply, type HttpRequest, type HttpServer, serveHttp } from '../core/http.ts'
import type { ChainControl } from './control.ts'

/**
 * Serves the control over HTTP: `POST <url>/<call>` with the call's argument as JSON. The URL contains a secret, so
 * that neither web pages nor other users of the machine can control the chains.
 */
export async function serveControl(control: ChainControl): Promise<HttpServer> {
  const secret = randomBytes(16).toString('hex')
  const server = await serveHttp({
    allowBrowsers: false,
    answer: (request) => answer(control, secret, request),
  })
  return { ...server, url: `${server.url}/${secret}` }
}

async function answer(
  control: ChainControl,
  secret: string,
  { method, path, body }: HttpRequest,
): Promise<HttpReply> {
  const [, given, name = ''] = path.split('/')
  if (method !== 'POST' || given !== secret || !Object.hasOwn(control, name)) {
    return { status: 404, body: JSON.stringify({ message: 'no such call' }) }
  }
  const call = control[name as keyof ChainControl] as (argument: unknown) => Promise<unknown>
  try {
    return { body: JSON.stringify(await call(body === '' ? {} : JSON.parse(body))) }
  } catch (error) {
    const isBadRequest = error instanceof RangeError || error instanceof SyntaxError
    const message = error instanceof Error ? error.message : `${error}`
    return { status: isBadRequest ? 400 : 500, body: JSON.stringify({ message }) }
  }
}
