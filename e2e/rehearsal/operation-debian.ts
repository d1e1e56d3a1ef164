import { join } from 'node:path'
import { ROOT, run, runBeside, until } from './operation-commands.ts'
import { ensureMachineImage, MACHINE_PACKAGES } from './operation-images.ts'

export const MACHINE = 'dct-rehearsal-machine'
const IMAGE = 'dct-machine'

/** A Debian machine whose init is systemd. */
export type Machine = {
  /** Runs shell commands as root, in a checkout with the finished build. */
  sh(commands: string): Promise<string>
  write(path: string, content: string): Promise<void>
}

export async function startMachine(folder: string): Promise<Machine> {
  ensureMachineImage(IMAGE, { folder: join(folder, 'images'), packages: MACHINE_PACKAGES })
  const checkout = join(folder, 'checkout')
  run('git', ['clone', '--quiet', ROOT, checkout])
  const build = run('docker', ['create', 'dct-earning']).trim()
  run('docker', ['cp', `${build}:/app`, join(checkout, 'dist')])
  run('docker', ['rm', build])
  run('docker', [
    ...['run', '--detach', '--name', MACHINE, '--cgroupns=host', '--tmpfs=/run', '--tmpfs=/tmp'],
    ...['--volume=/sys/fs/cgroup:/sys/fs/cgroup', '--env=container=docker'],
    ...['--security-opt=seccomp=unconfined', '--security-opt=systempaths=unconfined'],
    ...capabilities().map((name) => `--cap-add=${name}`),
    // For machines that still have the first version of control groups.
    ...[IMAGE, '/lib/systemd/systemd', 'SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1'],
  ])
  run('docker', ['cp', checkout, `${MACHINE}:/root/dct`])
  run('docker', ['cp', process.execPath, `${MACHINE}:/usr/local/bin/node`])
  const exec = ['exec', '--workdir=/root/dct', MACHINE, 'bash', '-euo', 'pipefail', '-c']
  const sh = (commands: string) => runBeside('docker', [...exec, commands])
  await until('the machine is up', () => sh('systemctl is-system-running'))
  // systemd passes credentials on by mounts that it shares, but leaves a container's mounts private.
  await sh('mount --make-rshared /; chown -R root:root /root/dct')
  return {
    sh,
    write: async (path, content) => {
      await sh(`umask 077; printf %s '${content.replaceAll("'", `'\\''`)}' >${path}`)
    },
  }
}

/** Those that Docker knows, but for loading modules, and that this process has: `--privileged` demands all of them. */
function capabilities(): string[] {
  const [, names = ''] = /Bounding set =(.*)/.exec(run('capsh', ['--print'])) ?? []
  const unknown = new Set(['cap_sys_module', 'cap_perfmon', 'cap_bpf', 'cap_checkpoint_restore'])
  return names
    .split(',')
    .flatMap((name) => (unknown.has(name) ? [] : [name.slice(4).toUpperCase()]))
}
