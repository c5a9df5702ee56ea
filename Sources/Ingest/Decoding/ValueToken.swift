/// Where a JSON value stands; a string without its quotes, an object or array with its brackets.
struct ValueToken {
    let type: JSONType
    let start: Int
    let end: Int
    var hasEscapes = false
}
