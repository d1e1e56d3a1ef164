import { setTimeout as pause } from 'node:timers/promises'
import { type DeployedChains, SITE } from './operation-chains.ts'
import { run, until } from './operation-commands.ts'
import { MACHINE, type Machine } from './operation-debian.ts'
import { documentedSettings, readDocument } from './operation-documents.ts'
import { signAtService } from './operation-keys.ts'
import {
  BOT,
  CHAT,
  MAIL_HOST,
  MAIL_USER,
  type Receivers,
  startReceivers,
} from './operation-receivers.ts'

const PLACE = '/etc/dct-earning'
const OVERRIDES = '/etc/systemd/system/dct-worker.service.d'
/** Authorities for what is reached by TLS here. */
const AUTHORITIES = '/usr/local/share/authorities.pem'
const HOOKS = 'hooks.example.org'
/** Messages go only to addresses of the public internet, so the machine has one in a network of its own. */
const NETWORK = { name: 'dct-rehearsal-public', subnet: '45.83.220.0/24', address: '45.83.220.2' }
const LONGER_THAN_A_SAMPLE_MS = 5_000

/** Adds lines to the settings, in place of those of the same names. */
async function set({ sh }: Machine, lines: string): Promise<void> {
  const names = [...lines.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
  await sh(`
    sed -i -E '/^(${names.join('|')})=/d' ${PLACE}/settings.env
    cat >>${PLACE}/settings.env <<'END'
${lines}END`)
}

/** Repeated, because these chains have a block each second, and only the latest state. */
const askDoctor = ({ sh }: Machine, patterns: readonly RegExp[]) =>
  until('the doctor finds nothing to fix', async () => {
    const found = await sh(`NODE_EXTRA_CA_CERTS=${AUTHORITIES} /opt/dct-earning/dct doctor`)
    const missing = patterns.filter((pattern) => !pattern.test(found))
    if (missing.length > 0) throw new Error(`${missing.join(', ')} is not in: ${found}`)
  })

/** docs/operating/price.md: the price from a pair, whose first sample is taken. */
export async function followPair(machine: Machine, chains: DeployedChains): Promise<void> {
  const pair = await chains.makePair()
  await set(machine, documentedSettings('price.md', 'PRICE_PAIR').replace('T…', pair))
  await askDoctor(machine, [/PRICE_PAIR: DCT is worth 1(\.0+)? USDT there/])
  await machine.sh('systemctl restart dct-worker')
  await until('the pair is read', async () => {
    const asked = 'select count(*) from price_sample'
    const samples = await machine.sh(`cd /; sudo -u postgres psql -d dct -Atc '${asked}'`)
    if (Number(samples) === 0) throw new Error('no sample')
  })
  await machine.sh(`sed -i '/^PRICE_/d' ${PLACE}/settings.env; systemctl restart dct-worker`)
}

/**
 * docs/operating/messages.md and nodes.md, with stand-ins for Google Cloud KMS too: what the worker reaches by TLS. A node
 * that is lost raises an alarm, which arrives over every channel.
 */
export async function reachServices(
  machine: Machine,
  { chains, folder }: { chains: DeployedChains; folder: string },
): Promise<void> {
  const { sh, write } = machine
  const receivers = await startReceivers(folder)
  run('docker', ['network', 'create', '--subnet', NETWORK.subnet, NETWORK.name])
  run('docker', ['network', 'connect', '--ip', NETWORK.address, NETWORK.name, MACHINE])
  try {
    const mail = new URL(await chains.open(receivers.mail))
    await write(
      '/root/stand-ins',
      Object.entries({
        'api.telegram.org': await chains.open(receivers.telegram),
        [HOOKS]: await chains.open(receivers.webhooks),
        'cloudkms.googleapis.com': chains.kms.url,
      })
        .map(([name, url]) => `${name} {\n\ttls internal\n\treverse_proxy ${url}\n}\n`)
        .join(''),
    )
    await write('/root/mail.pem', receivers.certificate)
    const root = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
    await sh(`
      cat /root/stand-ins >>/etc/caddy/Caddyfile
      systemctl restart caddy
      echo '${NETWORK.address} api.telegram.org ${HOOKS} cloudkms.googleapis.com' >>/etc/hosts
      echo '${mail.hostname} ${MAIL_HOST}' >>/etc/hosts
      until test -s ${root}; do sleep 1; done
      cat ${root} /root/mail.pem >${AUTHORITIES}
      chmod 644 ${AUTHORITIES}`)
    const { google } = chains.kms
    const credentials = `${google.credentials}NODE_EXTRA_CA_CERTS=${AUTHORITIES}\n`
    await signAtService(machine, { ...google, credentials })
    await setUpMessages(machine, { receivers, mailPort: mail.port })
    await loseNode(machine, { chains, receivers })
  } finally {
    receivers.stop()
    run('docker', ['network', 'disconnect', '--force', NETWORK.name, MACHINE])
    run('docker', ['network', 'rm', NETWORK.name])
  }
}

/** A command that a page writes in a sentence or a table. */
function commandIn(page: string, pattern: RegExp): string {
  const [command] = pattern.exec(readDocument(page)) ?? []
  if (command === undefined) throw new Error(`${page} has no command ${pattern}`)
  return command.replaceAll('\\|', '|')
}

async function setUpMessages(
  machine: Machine,
  { receivers, mailPort }: { receivers: Receivers; mailPort: string },
): Promise<void> {
  const { sh, write } = machine
  const ask = async (page: string, pattern: RegExp) => (await sh(commandIn(page, pattern))).trim()
  const secret = await ask('messages.md', /echo "whsec_[^`]+/)
  const push = await ask('messages.md', /openssl rand -base64 32 \\\| tr[^`]+/)
  receivers.expect(secret)
  const updates = await sh(
    `curl --fail --silent --cacert ${AUTHORITIES} https://api.telegram.org/bot${BOT}/getUpdates`,
  )
  const [, chat] = /"chat":\{"id":(-\d+)/.exec(updates) ?? []
  if (chat !== CHAT) throw new Error(`The chat is not found in ${updates}`)
  const { name, password } = MAIL_USER
  const user = `${encodeURIComponent(name)}:${encodeURIComponent(password)}`
  await set(
    machine,
    [
      ...['ALARM_EMAILS=admins@example.org', 'SMTP_FROM=alarms@example.org'],
      `SMTP_URL=smtp://${user}@${MAIL_HOST}:${mailPort}`,
      ...[`TELEGRAM_BOT_TOKEN=${BOT}`, `TELEGRAM_CHAT_ID=${chat}`],
      ...[`ALARM_WEBHOOKS=https://${HOOKS}/alarms`, `EVENT_WEBHOOKS=https://${HOOKS}/events`],
      ...[`WEBHOOK_SECRETS=${secret}`, 'HOLDER_EMAIL_FROM=news@example.org'],
      ...[`HOLDER_TELEGRAM_BOT_TOKEN=${BOT}`, `VAPID_PRIVATE_KEY=${push}`, ''],
    ].join('\n'),
  )
  await askDoctor(machine, [
    /email admins@example\.org: Accepts messages/,
    /telegram -\d+: Accepts messages/,
    /(webhook hooks\.example\.org.*: Accepts messages[\s\S]*){2}/,
    /SMTP_URL: Accepts messages/,
    /HOLDER_TELEGRAM_BOT_TOKEN: Accepts messages/,
  ])
  await sh(`mkdir -p ${OVERRIDES}`)
  await write(
    `${OVERRIDES}/override.conf`,
    `[Service]\nEnvironment=NODE_EXTRA_CA_CERTS=${AUTHORITIES}\n`,
  )
}

/** docs/operating/nodes.md: of three nodes one is lost, the other two go on, and the alarm names it everywhere. */
async function loseNode(
  machine: Machine,
  { chains, receivers }: { chains: DeployedChains; receivers: Receivers },
): Promise<void> {
  const { sh } = machine
  const { host, lose, find } = chains.lastNode
  await set(machine, chains.threeNodes)
  await askDoctor(machine, [new RegExp(host)])
  await sh(
    'systemctl daemon-reload; systemctl restart dct-worker dct-watcher dct-api@3000 dct-api@3001',
  )
  await pause(LONGER_THAN_A_SAMPLE_MS)
  lose()
  await until('the alarm arrives over every channel', () => {
    const { mail, telegram, webhook } = receivers.received
    for (const [kind, messages] of Object.entries({ mail, telegram, webhook })) {
      const isThere = messages.some((text) => text.includes('node_down') || text.includes(host))
      if (!isThere) throw new Error(`${kind}: ${messages.join('\n')}`)
    }
  })
  await sh(
    `curl --insecure --fail --silent --resolve ${SITE}:443:127.0.0.1 https://${SITE}/api/ready`,
  )
  find()
  const [first] = chains.threeNodes.match(/^TRON_FULL_HOST=[^,]+/m) ?? []
  const [other] = chains.threeNodes.match(/^BSC_RPC=[^,]+/m) ?? []
  await set(machine, `${first}\n${other}\n`)
  await sh(`
    sed -i -E '/^(ALARM|SMTP|TELEGRAM|EVENT|WEBHOOK|HOLDER|VAPID)_/d' ${PLACE}/settings.env
    rm -r ${OVERRIDES}
    systemctl daemon-reload
    systemctl restart dct-worker dct-watcher dct-api@3000 dct-api@3001`)
}
