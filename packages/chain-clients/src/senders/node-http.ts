/** A node gave no usable answer: unreachable, too slow, throttled, or not JSON. Nothing can be concluded from it. */
export class NodeUnavailable extends Error {
  override name = 'NodeUnavailable'
}

export type NodeHttp = {
  url: string
  headers?: Readonly<Record<string, string>>
  timeoutMs: number
}

/**
 * Posts JSON and returns the JSON answer.
 * @throws NodeUnavailable for anything but a JSON object with status 2xx
 */
export async function postJson(
  node: NodeHttp,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const text = await post(node, path, body)
  const answer = parseObject(text)
  if (answer === undefined) {
    throw new NodeUnavailable(`${path} returned text that is not JSON: ${text.slice(0, 80)}`)
  }
  return answer
}

async function post(node: NodeHttp, path: string, body: unknown): Promise<string> {
  try {
    const response = await fetch(`${node.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...node.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(node.timeoutMs),
    })
    const text = await response.text()
    if (!response.ok) throw new NodeUnavailable(`${path} returned status ${response.status}`)
    return text
  } catch (cause) {
    if (cause instanceof NodeUnavailable) throw cause
    throw new NodeUnavailable(`${path} got no reply`, { cause })
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
