import Foundation
import RequestCore
import SystemPackage
import TestSupport
import Testing

@Suite("Answers as images")
struct ImageTests {
    private static let hasConverters = ["/usr/bin/pnmtopng", "/usr/bin/cwebp"].allSatisfy(
        FileManager.default.fileExists)

    /// A format, and how a picture on standard input becomes one on standard output.
    enum Encoding: String, CaseIterable {
        case png = "pnmtopng"
        case interlacedPNG = "pnmtopng -interlace"
        case jpeg = "pnmtojpeg"
        case progressiveJPEG = "pnmtojpeg --progressive --comment=hello"
        case gif = "ppmtogif"
        case bmp = "ppmtobmp"
        case oldBMP = "ppmtobmp -os2"
        case tiff = "pamtotiff -truecolor -output=picture.out; cat picture.out"
        case bigEndianTIFF = "pamtotiff -truecolor -msb2lsb -output=picture.out; cat picture.out"
        case webp = "cwebp -quiet -o - -- picture.ppm"
        case losslessWebP = "cwebp -quiet -lossless -o - -- picture.ppm"
        case extendedWebP = "cwebp -quiet -resize 850 300 -metadata all -o - -- picture.ppm"

        var format: ImageFormat {
            switch self {
            case .png, .interlacedPNG: .png
            case .jpeg, .progressiveJPEG: .jpeg
            case .gif: .gif
            case .bmp, .oldBMP: .bmp
            case .tiff, .bigEndianTIFF: .tiff
            case .webp, .losslessWebP, .extendedWebP: .webp
            }
        }
    }

    @Test(
        "width and height of what real encoders wrote", .enabled(if: hasConverters, "needs netpbm and webp"),
        arguments: Encoding.allCases)
    func realEncoders(encoding: Encoding) throws {
        let data = try encode(encoding.rawValue, width: 850, height: 300)
        let header = try ImageHeader(data)
        #expect(header.format == encoding.format)
        #expect(header.width == 850)
        #expect(header.height == 300)
    }

    @Test("of several icons the largest counts", .enabled(if: hasConverters, "needs netpbm and webp"))
    func icons() throws {
        let folder = try TemporaryFolder()
        let pictures =
            "ppmmake red 16 16 > a.ppm; ppmmake red 48 32 > b.ppm; ppmtowinicon a.ppm b.ppm > icon.ico 2> log"
        try Command.run(["sh", "-c", "cd \(folder.path) && \(pictures)"])
        let header = try ImageHeader(Data(contentsOf: URL(fileURLWithPath: folder.path.appending("icon.ico").string)))
        #expect(header.format == .ico)
        #expect(header.width == 48)
        #expect(header.height == 32)
    }

    @Test(
        "every cut of a picture is refused or told alike, and never crashes",
        .enabled(if: hasConverters, "needs netpbm and webp"), arguments: Encoding.allCases)
    func cuts(encoding: Encoding) throws {
        let data = try encode(encoding.rawValue, width: 17, height: 9)
        let whole = try ImageHeader(data)
        for count in 0..<data.count {
            if let header = try? ImageHeader(data.prefix(count)) { #expect(header == whole) }
        }
        #expect(throws: ImageError.unknownFormat) { try ImageHeader(data.prefix(1)) }
    }

    @Test(
        "seeded damage to a header never crashes", .enabled(if: hasConverters, "needs netpbm and webp"),
        arguments: Encoding.allCases)
    func damage(encoding: Encoding) throws {
        let data = try encode(encoding.rawValue, width: 17, height: 9)
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<300 {
            var damaged = data
            for _ in 0..<4 {
                let place = Int.random(in: 0..<min(data.count, 64), using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            if let header = try? ImageHeader(damaged) { #expect(header.width > 0 && header.height > 0) }
        }
    }

    @Test("bytes that are no image are an error, where AFNetworking is silent")
    func undecodable() throws {
        let result = ImageResponseSerializer().serialize(try Response(text: "not a picture", type: "image/png"))
        #expect(result.value == nil)
        #expect(result.error?.format == "an image")
        for type in ["image/png", "text/html"] {
            #expect(
                ImageResponseSerializer().serialize(try Response(text: "", type: type)).error?.format == "an image")
        }
    }

    @Test("a picture without pixels is none")
    func noPixels() {
        #expect(throws: ImageError.noPixels(.gif)) { try ImageHeader(Data("GIF89a\0\0\u{1}\0".utf8)) }
        #expect(throws: ImageError.invalidHeader(.gif)) { try ImageHeader(Data("GIF89a\0".utf8)) }
    }

    @Test("a picture comes with its bytes, under an acceptable type alone")
    func serializer() throws {
        let gif = Data("GIF89a\u{2}\0\u{3}\0".utf8)
        let image = try #require(try ImageResponseSerializer().serialize(try Response(gif, type: "image/gif")).get())
        #expect(image.width == 2 && image.height == 3 && image.data == gif)
        #expect(
            ImageResponseSerializer().serialize(try Response(gif, type: "text/html")).error?.refusesContentType == true)
    }

    private func encode(_ command: String, width: Int, height: Int) throws -> Data {
        let folder = try TemporaryFolder()
        let resized = command.replacing("-resize 850 300", with: "-resize \(width) \(height)")
        let picture = "ppmmake red \(width) \(height) > picture.ppm"
        try Command.run([
            "sh", "-c", "cd \(folder.path) && \(picture) && (cat picture.ppm | \(resized)) > encoded 2> log",
        ])
        return try Data(contentsOf: URL(fileURLWithPath: folder.path.appending("encoded").string))
    }
}
