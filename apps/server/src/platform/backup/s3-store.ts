import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { BackupError, type BackupStore } from './store.ts'

export type S3Options = {
  /** The service's address, such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string
  region: string
  bucket: string
  /** A folder in the bucket, possibly empty. */
  prefix: string
  accessKey: string
  secretKey: string
}

const RETRIES = 5
const TIMEOUT_MS = 10 * 60_000
/** Our object names contain nothing that XML escapes. */
const KEY = /<Key>([^<]+)<\/Key>/g
const NEXT = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/

/** Keeps backups in S3-compatible storage, with path-style addresses, which every such service understands. */
export function s3Store(options: S3Options): BackupStore {
  const client = new AwsClient({
    accessKeyId: options.accessKey,
    secretAccessKey: options.secretKey,
    region: options.region,
    service: 's3',
    retries: RETRIES,
  })
  const bucket = `${options.endpoint}/${options.bucket}`
  const folder = options.prefix === '' ? '' : `${options.prefix}/`
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    const method = init.method ?? 'GET'
    let response: Response
    try {
      response = await client.fetch(url, {
        ...{ ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
      })
    } catch (cause) {
      throw new BackupError(`The storage at ${options.endpoint} does not answer.`, { cause })
    }
    if (response.ok) return response
    const answer = (await response.text()).slice(0, 300)
    throw new BackupError(`The storage refused ${method} ${url} (${response.status}): ${answer}`)
  }
  return {
    async put(name, content) {
      // The storage checks what it receives against this digest.
      const digest = createHash('sha256').update(content).digest('hex')
      const headers = { 'x-amz-content-sha256': digest }
      const body = new Uint8Array(content)
      await ask(`${bucket}/${folder}${name}`, { method: 'PUT', body, headers })
    },
    async get(name) {
      const response = await ask(`${bucket}/${folder}${name}`, {})
      return Buffer.from(await response.arrayBuffer())
    },
    async list() {
      const names: string[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query: Record<string, string> = { 'list-type': '2', prefix: folder }
        if (next !== '') query['continuation-token'] = next
        const page = await (await ask(`${bucket}?${new URLSearchParams(query)}`, {})).text()
        for (const [, key = ''] of page.matchAll(KEY)) names.push(key.slice(folder.length))
        next = NEXT.exec(page)?.[1]
      }
      return names
    },
    async remove(name) {
      await ask(`${bucket}/${folder}${name}`, { method: 'DELETE' })
    },
  }
}
