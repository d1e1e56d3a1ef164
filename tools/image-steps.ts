import { readSource } from './repository.ts'

type Step =
  | { kind: 'copy'; text: string; from: string | undefined; sources: string[]; target: string }
  | { kind: 'run'; text: string; command: string }
type Stage = { name: string; steps: Step[] }

/** Parses the Dockerfile: its stages with their COPY and RUN steps. The last stage is the image. */
export function readImage(): Stage[] {
  const stages: Stage[] = []
  for (const text of readSource('Dockerfile').split('\n')) {
    const [word, ...rest] = text.split(/\s+/)
    if (word === 'FROM') stages.push({ name: rest[2] ?? 'last', steps: [] })
    const steps = stages.at(-1)?.steps
    if (word === 'RUN') steps?.push({ kind: 'run', text, command: rest.join(' ') })
    if (word !== 'COPY') continue
    const from = rest[0]?.startsWith('--from=') ? rest.shift()?.slice('--from='.length) : undefined
    const target = rest.pop() ?? ''
    steps?.push({ kind: 'copy', text, from, sources: rest, target })
  }
  return stages
}
