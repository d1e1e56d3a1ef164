import { LANGUAGES } from '@dct/api-contract/languages'
import {
  readTerms,
  type TermsBlock,
  type TermsClause,
  type TermsInline,
} from '@dct/rules/terms-document'
import { TERMS_LANGUAGES, type TermsLanguage } from '@dct/rules/terms-placeholders'
import { Fragment, useId } from 'react'
import { useLanguage } from '../i18n/texts.ts'
import './terms-view.css'

/** The terms in the page's language, whole, and below them, folded, in the other one. */
export function TermsView({ texts }: { texts: Readonly<Record<TermsLanguage, string>> }) {
  const shown = useLanguage()
  const [first = 'id', ...others] = TERMS_LANGUAGES.toSorted(
    (one, other) => Number(other === shown) - Number(one === shown),
  )
  return (
    <>
      <WholeTerms language={first} text={texts[first]} />
      {others.map((language) => (
        <details key={language} className="terms__other">
          <summary lang={language}>{LANGUAGES[language]}</summary>
          <WholeTerms language={language} text={texts[language]} />
        </details>
      ))}
    </>
  )
}

function WholeTerms({ language, text }: { language: TermsLanguage; text: string }) {
  const id = useId()
  return (
    <div lang={language}>
      {readTerms(text).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name
        <section key={index} aria-labelledby={`${id}${index}`}>
          <h2 id={`${id}${index}`} className="terms__part">
            <Inlines content={part.heading} />
          </h2>
          <ol className="terms">
            {part.clauses.map((clause, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <li key={at} className="terms__point">
                <Clause clause={clause} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

function Clause({ clause }: { clause: TermsClause }) {
  return (
    <>
      <h3>
        <Inlines content={clause.heading} />
      </h3>
      {clause.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a clause's blocks have no name
        <Block key={index} block={block} />
      ))}
    </>
  )
}

function Block({ block }: { block: TermsBlock }) {
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Inlines content={block.content} />
      </p>
    )
  }
  const items = block.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of a text have no name
    <li key={index}>
      <Inlines content={item} />
    </li>
  ))
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
}

const TAGS = { strong: 'strong', em: 'em', text: Fragment } as const

function Inlines({ content }: { content: readonly TermsInline[] }) {
  return content.map((one, index) => {
    const Tag = TAGS[one.kind]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: words have no name
      <Tag key={index}>{one.kind === 'text' ? one.text : <Inlines content={one.content} />}</Tag>
    )
  })
}
