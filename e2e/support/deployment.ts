import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The product's pages at an address of their own, where another build can take the place of the present one. */
export type Deployment = {
  url: string
  /** From now on serves a build in which these files have other names; the former names are gone. */
  rename(files: readonly RegExp[]): Promise<void>
  stop(): Promise<void>
}

const isText = /javascript|html|css/

/** Serves the pages of a product. Calls are not for it: the product knows its own address alone. */
export async function startDeployment(product: string): Promise<Deployment> {
  const renamed = new Map<string, string>()
  let version = ''

  const answer = async (path: string, response: ServerResponse) => {
    const former = [...renamed].find(([, name]) => path === name)?.[0]
    if (renamed.has(path)) return void response.writeHead(404).end()
    const from = await fetch(`${product}${former ?? path}`)
    const type = from.headers.get('content-type') ?? ''
    const content = isText.test(type)
      ? withNames(await from.text())
      : Buffer.from(await from.arrayBuffer())
    // Without the header that lets browsers keep a file: what is gone here is gone for them.
    response.writeHead(from.status, { 'content-type': type }).end(content)
  }
  const withNames = (text: string) => {
    let written = text.replace(/(VERSION = "\w+)"/, `$1${version}"`)
    for (const [former, name] of renamed) {
      written = written.replaceAll(former.slice('/assets/'.length), name.slice('/assets/'.length))
    }
    return written
  }

  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async rename(files) {
      const worker = await (await fetch(`${product}/service-worker.js`)).text()
      for (const file of files) {
        const [path] = file.exec(worker) ?? []
        if (path === undefined) throw new Error(`The build has no ${file}`)
        renamed.set(path, path.replace(/-[\w-]+\.js$/, '-next.js'))
      }
      version = 'next'
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
