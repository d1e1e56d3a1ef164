import { type ExplorerTarget, explorerLink } from '../config/explorer-link.ts'
import { usePublicConfig } from '../config/public-config.ts'
import { useTexts } from '../i18n/texts.ts'
import { shorten } from '../lib/shorten.ts'
import { ExternalIcon } from './icons.tsx'
import { uiTexts } from './ui.texts.ts'
import './explorer-value.css'

/**
 * An address or a transaction hash that links to its chain's explorer. Shortened on screen; the whole value is its
 * accessible name and tooltip.
 */
export function ExplorerValue({
  isWhole = false,
  ...target
}: ExplorerTarget & { isWhole?: boolean }) {
  const text = useTexts(uiTexts)
  const explorer = usePublicConfig()?.[target.chain].explorer
  const shown = isWhole ? target.value : shorten(target.value)
  if (!explorer) {
    return (
      <span className="code" title={target.value}>
        {shown}
      </span>
    )
  }
  return (
    <a
      className={isWhole ? 'explorer-value code' : 'explorer-value explorer-value--short code'}
      href={explorerLink(explorer, target)}
      target="_blank"
      rel="noopener noreferrer"
      title={target.value}
    >
      <span translate="no">{shown}</span>
      <ExternalIcon />
      <span className="visually-hidden">{text('opensExplorer')}</span>
    </a>
  )
}
