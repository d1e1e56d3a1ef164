import {
  readTerms,
  type TermsBlock,
  type TermsClause,
  type TermsInline,
} from '@dct/rules/terms-document'
import { TERMS_LANGUAGES, type TermsLanguage } from '@dct/rules/terms-placeholders'
import { Fragment, useId } from 'react'
import './terms-view.css'

/** The terms clause by clause: Indonesian, the language they are written in, with the English translation beside it. */
export function TermsView({ texts }: { texts: Readonly<Record<TermsLanguage, string>> }) {
  const id = useId()
  const parts = { id: readTerms(texts.id), en: readTerms(texts.en) }
  return parts.id.map((part, index) => {
    const translation = parts.en[index]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have no other name
      <section key={index} aria-labelledby={`${id}${index}`}>
        <h2 id={`${id}${index}`} className="terms__part">
          <span lang="id">
            <Inlines content={part.heading} />
          </span>
          <span lang="en" className="soft">
            <Inlines content={translation?.heading ?? []} />
          </span>
        </h2>
        <ol className="terms">
          {part.clauses.map((clause, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={at} className="terms__point">
              {TERMS_LANGUAGES.map((language) => (
                <Clause
                  key={language}
                  language={language}
                  clause={language === 'id' ? clause : translation?.clauses[at]}
                />
              ))}
            </li>
          ))}
        </ol>
      </section>
    )
  })
}

function Clause({
  language,
  clause,
}: {
  language: TermsLanguage
  clause: TermsClause | undefined
}) {
  return (
    <div lang={language} className={language === 'en' ? 'soft' : undefined}>
      <h3>
        <Inlines content={clause?.heading ?? []} />
      </h3>
      {clause?.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a clause's blocks have no name
        <Block key={index} block={block} />
      ))}
    </div>
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
