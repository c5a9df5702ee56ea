/// The order in which keys leave a full cache: first those of the app that has most of them, so that an app with many
/// keys takes the place of no other one's, and of these the key that was found longest ago.
///
/// Every operation takes constant time, on average over many of them.
struct KeyEvictionOrder {
    /// The keys of an app.
    private struct Keys {
        private struct Place {
            let hash: [UInt8]
            let number: Int
        }

        /// The numbers of the keys' places.
        private var numbers: [[UInt8]: Int] = [:]
        /// The places from `start` on, oldest first. A key that was found again, or removed, has left its former ones.
        private var places: [Place] = []
        private var start = 0

        var count: Int { numbers.count }

        mutating func append(_ hash: [UInt8], number: Int) {
            numbers[hash] = number
            places.append(Place(hash: hash, number: number))
            guard places.count > 2 * numbers.count + 16 else { return }
            places = places[start...].filter { numbers[$0.hash] == $0.number }
            start = 0
        }

        mutating func remove(_ hash: [UInt8]) {
            numbers[hash] = nil
        }

        mutating func first() -> [UInt8]? {
            while start < places.count {
                let place = places[start]
                if numbers[place.hash] == place.number { return place.hash }
                start += 1
            }
            return nil
        }
    }

    private var keys: [Int32: Keys] = [:]
    /// The apps by the number of their keys.
    private var apps: [Int: Set<Int32>] = [:]
    /// The number of keys of the app that has most.
    private var most = 0
    private var lastNumber = 0

    /// Adds a key, or moves it behind the other keys of its app.
    mutating func append(_ hash: [UInt8], of app: Int32) {
        lastNumber += 1
        let former = count(of: app)
        keys[app, default: Keys()].append(hash, number: lastNumber)
        countChanged(app, from: former)
    }

    mutating func remove(_ hash: [UInt8], of app: Int32) {
        let former = count(of: app)
        keys[app]?.remove(hash)
        countChanged(app, from: former)
    }

    /// Returns the key that leaves for another one of an app, which gives way itself if no other app has more.
    mutating func first(for app: Int32) -> [UInt8]? {
        guard let largest = count(of: app) == most ? app : apps[most]?.first else { return nil }
        return keys[largest]?.first()
    }

    private func count(of app: Int32) -> Int { keys[app]?.count ?? 0 }

    /// Notes that an app has a key more or less, or as many as before.
    private mutating func countChanged(_ app: Int32, from former: Int) {
        let current = count(of: app)
        guard current != former else { return }
        apps[former]?.remove(app)
        if apps[former]?.isEmpty == true {
            apps[former] = nil
            if most == former { most = current }
        }
        most = max(most, current)
        if current == 0 { keys[app] = nil } else { apps[current, default: []].insert(app) }
    }
}
