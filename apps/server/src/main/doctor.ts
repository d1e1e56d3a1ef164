/**
 * `doctor.ts [--json]`: compares every setting with what it refers to and reports what to fix. Exit code 1: something
 * must be fixed; 2: wrong arguments. Spends, sends and writes nothing.
 */
import { realClock } from '../platform/clock.ts'
import { readOwnConfig } from './config.ts'
import { examineInstallation, examineSettings } from './doctor/examine.ts'
import { printFindings } from './doctor/print-findings.ts'

const [flag, ...others] = process.argv.slice(2)

if ((flag !== undefined && flag !== '--json') || others.length > 0) {
  process.stderr.write('Usage: npm run doctor [-- --json]\n')
  process.exitCode = 2
} else {
  const { config, findings } = examineSettings(readOwnConfig)
  if (config !== undefined) findings.push(...(await examineInstallation(config, { realClock })))
  const isSound = findings.every(({ verdict }) => verdict !== 'fault')
  const report = { is_sound: isSound, findings }
  process.stdout.write(
    `${flag === '--json' ? JSON.stringify(report, undefined, 2) : printFindings(findings)}\n`,
  )
  process.exitCode = isSound ? 0 : 1
}
