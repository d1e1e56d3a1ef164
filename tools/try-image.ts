/**
 * `node tools/run.mjs tools/try-image.ts FOLDER [UID]`: runs the Dockerfile's steps without a container engine, in an
 * empty folder and as another user, and leaves the image's files in FOLDER/image. It shows that the steps work with the
 * files that they copy; it tests neither the base image nor what the engine adds.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readImage } from './image-steps.ts'
import { ROOT } from './repository.ts'

const [folder = '', uid = '65534'] = process.argv.slice(2)
const place = resolve(folder)
if (folder === '' || existsSync(place)) throw new Error('The folder must not exist yet.')
mkdirSync(place, { recursive: true })
chmodSync(place, 0o755)
const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
const context = files.split('\0').filter((path) => path !== '')

for (const stage of readImage()) {
  const root = join(place, stage.name)
  const workDir = join(root, 'app')
  mkdirSync(workDir, { recursive: true })
  for (const step of stage.steps) {
    process.stdout.write(`${stage.name}: ${step.text}\n`)
    if (step.kind === 'copy') copy(step, workDir)
    else run(step.command, workDir)
  }
}
renameSync(join(place, readImage().at(-1)?.name ?? ''), join(place, 'image'))

function copy(step: { from: string | undefined; sources: string[]; target: string }, to: string) {
  const target = join(to, step.target)
  for (const source of step.sources) {
    if (step.from !== undefined) {
      cpSync(join(place, step.from, source), target, { recursive: true, verbatimSymlinks: true })
      continue
    }
    const found = context.filter(
      (path) => source === '.' || path === source || path.startsWith(`${source}/`),
    )
    for (const path of found) {
      const inside = source === '.' ? path : path.slice(source.length + 1)
      const isFolder = step.target.endsWith('/')
      const name = inside !== '' ? inside : isFolder ? basename(path) : ''
      const file = join(target, name)
      mkdirSync(dirname(file), { recursive: true })
      cpSync(join(ROOT, path), file)
    }
  }
}

function run(command: string, workDir: string): void {
  execFileSync('chown', ['-R', `${uid}:${uid}`, join(place)])
  execFileSync(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'sh', '-ec', command],
    {
      cwd: workDir,
      env: { PATH: process.env.PATH, HOME: place, npm_config_cache: join(place, 'npm-cache') },
      stdio: 'inherit',
    },
  )
}
