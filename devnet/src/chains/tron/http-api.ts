import type { Engine } from '../core/engine.ts'
import type { HttpReply, HttpRequest } from '../core/http.ts'
import { NodeException, PARSE_EXCEPTION, type View } from './node.ts'
import { ProtobufError } from './protobuf.ts'
import { HEAD_ONLY_ROUTES, ROUTES, type Route } from './routes.ts'
import { fromVisible, type Json, mapValues, toVisible } from './wire.ts'

const SMALL_INTEGERS = new Set(['version', 'id', 'Permission_id'])

/** A full node's HTTP API. As there, errors are reported in the body, with status 200. */
export async function answerTronHttp(engine: Engine, request: HttpRequest): Promise<HttpReply> {
  const found = findRoute(request.path)
  if (!found) return notFound(request)
  const { route, view } = found
  try {
    const body = readBody(request)
    const isVisible = body.visible === true || body.visible === 'true'
    const input = isVisible ? fromVisible(body) : body
    const result = await route(engine, { view, isVisible, body: input })
    const shown = isVisible ? toVisible(markVisible(result)) : result
    const asText = request.query.get('int64_as_string') === 'true'
    return { body: JSON.stringify(asText ? integersAsText(shown) : shown) }
  } catch (error) {
    return { body: JSON.stringify({ Error: describe(error) }) }
  }
}

/** The web server's own error page. It has a GET handler for every path, so other methods get a 405. */
function notFound({ method }: HttpRequest): HttpReply {
  const [status, reason] =
    method === 'GET'
      ? [404, 'Not Found']
      : [405, `HTTP method ${method} is not supported by this URL`]
  const body = `<html><head><title>Error ${status} ${reason}</title></head><body><h2>HTTP ERROR ${status} ${reason}</h2></body></html>`
  return { status, type: 'text/html;charset=iso-8859-1', body }
}

function findRoute(path: string): { route: Route; view: View } | undefined {
  const [, service, name = '', ...rest] = path.split('/')
  if (rest.length > 0) return undefined
  if (service === 'wallet') {
    const route = ROUTES[name] ?? HEAD_ONLY_ROUTES[name]
    return route && { route, view: 'head' }
  }
  const route = service === 'walletsolidity' ? ROUTES[name] : undefined
  return route && { route, view: 'final' }
}

function readBody({ method, query, body }: HttpRequest): Json {
  const parameters = Object.fromEntries(query)
  if (method === 'GET' || body.trim() === '') return parameters
  const parsed: unknown = JSON.parse(body)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new NodeException('com.alibaba.fastjson.JSONException', 'can not cast to JSONObject.')
  }
  return { ...parameters, ...parsed }
}

/** A transaction states the form of its addresses in its `visible` field. */
function markVisible(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('visible' in result)) {
    return typeof result === 'object' && result !== null && 'transaction' in result
      ? { ...result, transaction: markVisible(result.transaction) }
      : result
  }
  return { ...result, visible: true }
}

function integersAsText(reply: unknown): unknown {
  return mapValues(reply, (value, field) =>
    typeof value === 'number' && !SMALL_INTEGERS.has(field) ? `${value}` : value,
  )
}

function describe(error: unknown): string {
  if (error instanceof NodeException) return `class ${error.javaClass} : ${error.message}`
  if (error instanceof ProtobufError) return `class ${PARSE_EXCEPTION} : ${error.message}`
  if (error instanceof SyntaxError) {
    return `class com.alibaba.fastjson.JSONException : ${error.message}`
  }
  return `class java.lang.RuntimeException : ${error}`
}
