import type { AtService, DeployedChains } from './operation-chains.ts'
import type { Machine } from './operation-debian.ts'
import { documentedBlocks, documentedSettings } from './operation-documents.ts'

const PLACE = '/etc/dct-earning'
const OVERRIDES = '/etc/systemd/system/dct-worker.service.d'

/** docs/operating/keys.md, with a stand-in for a key service that has the same keys, and back. */
export async function signAtService(
  { sh, write }: Machine,
  { settings, credentials, account }: AtService & { account?: string },
): Promise<void> {
  const [check = ''] = documentedBlocks('keys.md', 'Kept by a service')
  const [show = '', ...checks] = check.trim().split('\n')
  await sh(`
    mkdir -p ${OVERRIDES} /root/kept
    cp --preserve ${PLACE}/settings.env /root/kept
    mv ${PLACE}/keys/* ${PLACE}/*-passphrase /root/kept`)
  await write(`${OVERRIDES}/override.conf`, documentedSettings('keys.md', 'EnvironmentFile'))
  await write(`${PLACE}/kms.env`, credentials)
  if (account !== undefined) {
    const file = `${PLACE}/keys/google.json`
    await write(file, account)
    await sh(`chown dct-worker:dct ${file}; chmod 600 ${file}`)
  }
  for (const [, key = ''] of settings.matchAll(/_KMS=(.+)/g)) {
    const printed = await sh(show.replace('aws:ARN', key))
    if (!/^Tron T\w{33}\nBSC {2}0x\w{40}\n$/.test(printed)) throw new Error(printed)
  }
  await sh(`
    cat >>${PLACE}/settings.env <<'END'
${settings}END
    systemctl daemon-reload
    found=$(
${checks.join('\n')}
    )
    test $(grep --count '_KMS: The key of .* signs' <<<"$found") = 2
    sleep 10
    systemctl is-active dct-worker
    rm -rf ${OVERRIDES} ${PLACE}/kms.env ${PLACE}/keys/google.json
    mv /root/kept/settings.env ${PLACE}/
    mv /root/kept/*.json ${PLACE}/keys/
    mv /root/kept/*-passphrase ${PLACE}/
    systemctl daemon-reload
    systemctl restart dct-worker`)
}

const REPLACING = documentedBlocks('keys.md', 'Replacing a key')

/** Both keys, one after the other, by the commands for one layout; their owner names each to the contracts. */
export async function replaceKeys(
  sh: (commands: string) => Promise<string>,
  { layout, chains }: { layout: 'systemd' | 'compose'; chains: DeployedChains },
): Promise<void> {
  const [create = '', exchange = ''] = REPLACING.filter(
    (block) => block.includes('docker') === (layout === 'compose'),
  )
  for (const [key, printed] of [
    ['tron-operator', /Tron (T\w{33})/],
    ['bsc-payout', /BSC {2}(0x\w{40})/],
  ] as const) {
    const output = await sh(create)
    const [, address] = printed.exec(output) ?? []
    if (address === undefined) throw new Error(`The command printed no address: ${output}`)
    await chains.nameKey(key, address)
    const found = await sh(exchange.replaceAll('tron-operator', key).replaceAll(/^sudo /gm, ''))
    if (!found.toLowerCase().includes(address.toLowerCase()))
      throw new Error(`The doctor does not name ${address}: ${found}`)
  }
}
