import { type PropsWithChildren, Suspense, useEffect, useRef, useState } from 'react'

/** How far below the screen a part begins to load. */
const MARGIN = '200px'

/** Renders its children, whose code and data may be loaded for it, once their place is about to be seen. */
export function WhenSeen({ children }: PropsWithChildren) {
  const place = useRef<HTMLSpanElement>(null)
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  if (!isSeen) return <span ref={place} className="skeleton skeleton--block" />
  return (
    <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
      {children}
    </Suspense>
  )
}
