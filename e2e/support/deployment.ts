import type { ServerResponse } from 'node:http'
import { type LocalServer, startLocalServer } from './local-server.ts'

/** The product's pages served at a separate address, where another build can replace the current one. */
export type Deployment = LocalServer & {
  /** Switches to a build in which these files have new names; the old names answer 404. */
  rename(files: readonly RegExp[]): Promise<void>
  /** From now on, answers everything as a proxy does whose service does not run. */
  stopService(status: number): void
}

const isText = /javascript|html|css/

/** Serves a product's pages. API calls are not supported, because the product only accepts its own address. */
export async function startDeployment(product: string): Promise<Deployment> {
  const renamed = new Map<string, string>()
  let version = ''
  let stoppedWith: number | undefined

  const answer = async (path: string, response: ServerResponse) => {
    if (stoppedWith !== undefined) {
      const page = `<html><h1>Error ${stoppedWith}</h1></html>`
      return void response.writeHead(stoppedWith, { 'content-type': 'text/html' }).end(page)
    }
    const former = [...renamed].find(([, name]) => path === name)?.[0]
    if (renamed.has(path)) return void response.writeHead(404).end()
    const from = await fetch(`${product}${former ?? path}`)
    const type = from.headers.get('content-type') ?? ''
    const content = isText.test(type)
      ? withNames(await from.text())
      : Buffer.from(await from.arrayBuffer())
    // Drops the header that lets browsers cache a file, so that a file removed here is gone for them, too.
    response.writeHead(from.status, { 'content-type': type }).end(content)
  }
  const withNames = (text: string) => {
    let written = text.replace(/(VERSION = "\w+)"/, `$1${version}"`)
    for (const [former, name] of renamed) {
      written = written.replaceAll(former.slice('/assets/'.length), name.slice('/assets/'.length))
    }
    return written
  }

  const server = await startLocalServer((request, response) => {
    answer(request.url ?? '/', response).catch(() => response.destroy())
  })
  return {
    ...server,
    stopService(status) {
      stoppedWith = status
    },
    async rename(files) {
      const worker = await (await fetch(`${product}/service-worker.js`)).text()
      for (const file of files) {
        const [path] = file.exec(worker) ?? []
        if (path === undefined) throw new Error(`The build has no ${file}`)
        renamed.set(path, path.replace(/-[\w-]+\.js$/, '-next.js'))
      }
      version = 'next'
    },
  }
}
