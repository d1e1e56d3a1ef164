/** Loaded before everything else: changes one source file of the service as it is read, as `PLANTED` names. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { PLANTED } from './story/planted-faults.ts'

const name = process.env.PLANTED
const fault = PLANTED.find((one) => one.name === name)
if (fault === undefined) throw new Error(`no fault is called ${name}`)
const { changes } = fault

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith('file:')) return loaded
    const path = fileURLToPath(url)
    const here = changes.filter(({ file }) => path.endsWith(file))
    if (here.length === 0) return loaded
    const source = here.reduce((text, { file, find, replace }) => {
      if (!text.includes(find)) throw new Error(`${file} does not contain “${find}” any more`)
      return text.replace(find, replace)
    }, String(loaded.source))
    return { ...loaded, source }
  },
})
