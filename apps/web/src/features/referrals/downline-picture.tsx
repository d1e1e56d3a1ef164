import type { ReferralTreeReply } from '@dct/api-contract/referrals'
import { useQuery } from '@tanstack/react-query'
import { i18n, useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { type PlacedNode, placeNodes } from './place-nodes.ts'
import { referralQueries } from './referrals.api.ts'
import { REFERRAL_WORDING, referralTexts } from './referrals.texts.ts'
import './downline-picture.css'

/** In pixels; the labels beside the picture have the same line height. */
const ROW = 48
const RADIUS = { alone: 5, withReferrals: 8 }

/** The users below the current user, level by level. */
export function DownlinePicture() {
  const text = useTexts(referralTexts)
  const tree = useQuery(referralQueries.tree())
  if (tree.data === undefined) {
    return <NotLoaded query={tree}>{REFERRAL_WORDING.downlineFailed}</NotLoaded>
  }
  if (tree.data.nodes.length === 0) return <p className="empty">{REFERRAL_WORDING.noDownline}</p>
  return (
    <figure className="downline-picture">
      <figcaption className="soft small">{text('pictureHint')}</figcaption>
      <div className="downline-picture__body">
        <Levels tree={tree.data} />
        <Picture tree={tree.data} />
      </div>
    </figure>
  )
}

/** How many users are on each level: the same information as text, for everyone. */
function Levels({ tree }: { tree: ReferralTreeReply }) {
  const text = useTexts(referralTexts)
  const drawnOn = (level: number) => tree.nodes.filter((node) => node.level === level).length
  const below = tree.levels.length + 1
  return (
    <ol className="downline-picture__levels">
      <li>{text('you')}</li>
      {tree.levels.map(({ level, members }) => (
        <li key={level}>
          {text('levelMembers', { level, members: format(members) })}
          {drawnOn(level) < members && (
            <span className="soft"> {text('drawn', { drawn: drawnOn(level) })}</span>
          )}
        </li>
      ))}
      {tree.deeper > 0 && <li>{text('deeper', { level: below, members: format(tree.deeper) })}</li>}
    </ol>
  )
}

function Picture({ tree }: { tree: ReferralTreeReply }) {
  const text = useTexts(referralTexts)
  const placed = placeNodes(tree.nodes)
  const rows = 1 + Math.max(tree.levels.length, ...tree.nodes.map(({ level }) => level))
  const label = text('pictureLabel', {
    members: format(tree.total_downline),
    levels: tree.levels.length,
  })
  return (
    <svg
      className="downline-picture__tree"
      role="img"
      aria-label={label}
      width="100%"
      height={rows * ROW}
    >
      {placed.map((node) => (
        <line
          key={node.tron_address}
          x1={percent(node.from.across)}
          y1={middle(node.from.level)}
          x2={percent(node.across)}
          y2={middle(node.level)}
        />
      ))}
      <circle className="downline-picture__own" cx="50%" cy={middle(0)} r={RADIUS.withReferrals} />
      {placed.map((node) => (
        <Member key={node.tron_address} node={node} />
      ))}
    </svg>
  )
}

function Member({ node }: { node: PlacedNode }) {
  const text = useTexts(referralTexts)
  const { tron_address: address, total_referrals: referrals } = node
  return (
    <circle
      cx={percent(node.across)}
      cy={middle(node.level)}
      r={referrals > 0 ? RADIUS.withReferrals : RADIUS.alone}
    >
      <title>{text('member', { address, level: node.level, referrals: format(referrals) })}</title>
    </circle>
  )
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`
const middle = (level: number) => (level + 0.5) * ROW
const format = (count: number) => count.toLocaleString(i18n.locale)
