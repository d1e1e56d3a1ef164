import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import type {
  Asked,
  FromService,
  Told,
  ToService,
} from '../../../apps/server/src/testing/page-service.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROGRAM = fileURLToPath(
  new URL('../../../apps/server/src/testing/page-service.ts', import.meta.url),
)

export type { Asked, Told }

/** Decides what a page is told. */
export type Teller = (asked: Asked) => Told | Promise<Told>

export type PageService = {
  url: string
  /** Whom the service asks from now on. */
  answerBy(teller: Teller): void
  /** What the service was told that the real one never answers, since the last call. */
  takeComplaints(): string[]
  stop(): Promise<void>
}

/** Builds the pages if they have changed, and starts their service, whose calls this process answers. It ends with it. */
export async function startPageService(): Promise<PageService> {
  await promisify(execFile)(process.execPath, ['tools/build-web.ts'], { cwd: ROOT })
  const port = await portForLater()
  const child = fork(PROGRAM, [`${port}`], { env: ownEnvironment() })
  const complaints: string[] = []
  let tellerNow: Teller = () => 'nothing'
  const isReady = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The page service exited with ${code}`)))
    child.on('message', async (message: FromService) => {
      if ('isReady' in message) return resolve()
      if ('complaint' in message) return complaints.push(message.complaint)
      const { asked } = message
      try {
        answer(child, { id: asked.id, told: await tellerNow(asked) })
      } catch (error) {
        complaints.push(error instanceof Error ? error.message : String(error))
        answer(child, { id: asked.id, told: { status: 500, text: 'the test failed to answer' } })
      }
    })
  })
  await isReady
  return {
    url: `http://127.0.0.1:${port}`,
    answerBy(teller) {
      tellerNow = teller
    },
    takeComplaints: () => complaints.splice(0),
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

function answer(child: ChildProcess, message: ToService): void {
  if (child.connected) child.send(message)
}
