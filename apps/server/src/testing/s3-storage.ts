import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Keys = { accessKey: string; secretKey: string }

/**
 * An in-memory S3 server with the part of the protocol that backups use. Every request needs a valid AWS Signature
 * Version 4 over its method, path, query, signed headers and body; any other request gets a 403.
 */
export async function startStorage(options: Keys & { pageSize: number }) {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (!isSigned(request, body, options)) return response.writeHead(403).end('<Error/>')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://storage')
    if (searchParams.has('list-type')) {
      return response.end(list([...objects.keys()].sort(), searchParams, options.pageSize))
    }
    const key = decodeURIComponent(pathname).split('/').slice(2).join('/')
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'GET')
      return response.writeHead(request.method === 'PUT' ? 200 : 204).end()
    const found = objects.get(key)
    return found === undefined ? response.writeHead(404).end('<Error/>') : response.end(found)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function list(keys: readonly string[], query: URLSearchParams, pageSize: number): string {
  const matching = keys.filter((key) => key.startsWith(query.get('prefix') ?? ''))
  const from = Number(query.get('continuation-token') ?? 0)
  const page = matching.slice(from, from + pageSize)
  const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
  const next =
    from + pageSize < matching.length
      ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>`
      : ''
  return `<ListBucketResult>${contents}${next}</ListBucketResult>`
}

function isSigned(request: IncomingMessage, body: Buffer, keys: Keys): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=(\w{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (found === null) return false
  const [, accessKey, scope = '', day = '', region = '', names = '', signature = ''] = found
  const given = `${request.headers['x-amz-content-sha256']}`
  const isBodyOurs = given === 'UNSIGNED-PAYLOAD' || given === sha256(body)
  if (accessKey !== keys.accessKey || !isBodyOurs) return false
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const headers = names.split(';').map((name) => `${name}:${`${request.headers[name]}`.trim()}\n`)
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    headers.join(''),
    names,
    given,
  ]
  const toSign = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    sha256(canonical.join('\n')),
  ]
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretKey}`,
  )
  return timingSafeEqual(hmac(key, toSign.join('\n')), Buffer.from(signature, 'hex'))
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
